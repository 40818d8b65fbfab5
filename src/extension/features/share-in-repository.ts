/** Puts a memory into a file of the repository. */
import * as vscode from 'vscode';
import type { Memories } from '../memories';
import { withoutLinks } from '../stored-text';
import type { Target } from './memory-targets';
import type { Outcome } from './rewrite-memory';
import { doneBy } from './tell-done';

/** As long as the tool says it. */
const MAX_RULE_LENGTH = 100;

/** What the tool answers. */
interface Shared {
  readonly stays_closed?: readonly string[];
  readonly ignored_by?: string;
}

export async function shareInRepository(memories: Memories, target: Target): Promise<Outcome> {
  const input = { node_ids: [target.nodeId] };
  const { value, operation } = await memories.act<Shared>(target.place, 'share', input);
  if (value.ignored_by !== undefined) {
    vscode.window.showWarningMessage(
      vscode.l10n.t(
        'Git leaves the file out by "{0}", so nobody else gets it. Take that rule out.',
        withoutLinks(value.ignored_by, MAX_RULE_LENGTH),
      ),
    );
  }
  if (value.stays_closed) {
    vscode.window.showInformationMessage(
      vscode.l10n.t('It replaced a memory that is not shared: a branch without its file has neither of them.'),
    );
  }
  return { target, done: doneBy(target.place, operation) };
}
