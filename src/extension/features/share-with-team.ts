/** Sends memories to the team, after a person has seen what is sent: the same as `svc-memory promote`. */
import * as vscode from 'vscode';
import type { MemoryKind } from '../../kinds/kinds';
import type { Editor } from '../editor';
import { counted, kindName } from '../kinds';
import type { Memories, Place } from '../memories';
import { described } from '../output';
import { failureOf, runProgram } from '../programs';
import { MAX_MESSAGE_LENGTH, plainLine, withoutLinks } from '../stored-text';
import { tokenFor, tokenOf } from '../team-tokens';
import { isOfTeam } from '../team-words';
import { requireRow, targetsOf } from './memory-targets';
import { hasStore, memoryFolder } from './palette/memory-folder';
import { pickMemory } from './pick-memory';
import { requireTrust } from './require-trust';
import { tellRefusal } from './tell-done';

/** What is sent of a memory, as `promote --show` tells it. */
interface Sent {
  readonly kind: MemoryKind;
  readonly content: string;
  readonly entities: readonly string[];
  readonly rationale?: string;
  readonly alternatives_rejected?: readonly string[];
}

interface Promoted {
  readonly promoted: readonly unknown[];
  readonly waiting: readonly unknown[];
}

/** As many as a person looks through in a dialog. */
const MOST_SHOWN = 8;

export function shareWithTeam(editor: Editor, memories: Memories): vscode.Disposable {
  return vscode.commands.registerCommand('agentMemory.shareWithTeam', async (...given: readonly unknown[]) => {
    if (!requireTrust() || !requireRow(given)) return;
    try {
      let targets = targetsOf(editor, given[0], given[1]).filter(({ nodeId }) => !isOfTeam(nodeId));
      if (targets.length === 0) {
        const title = vscode.l10n.t('Share which memory with the team?');
        const picked = await pickMemory(editor, memories, title, 'open');
        targets = picked ? [picked] : [];
      }
      const [first] = targets;
      if (!first || !hasStore(first.place)) return;
      const { folder, namespace } = first.place;
      const ids = targets
        .filter(({ place }) => `${place.folder}` === `${folder}` && place.namespace === namespace)
        .map(({ nodeId }) => nodeId);
      await send(editor, memories, first.place, ids);
    } catch (error) {
      editor.log.warn(`agentMemory.shareWithTeam: ${described(error)}`);
      tellRefusal(error);
    }
  });
}

async function send(editor: Editor, memories: Memories, place: Place, ids: readonly string[]): Promise<void> {
  const team = await memories.team(place);
  if (!team) return tellNoTeam(place);
  const { address } = team;
  const { memories: sent } = await promote<{ readonly memories: readonly Sent[] }>(editor, place, [...ids, '--show']);
  const sending = vscode.l10n.t('Send');
  const chosen = await vscode.window.showInformationMessage(
    sent.length === 1
      ? vscode.l10n.t('Send this memory to the team at {0}?', withoutLinks(address, MAX_MESSAGE_LENGTH))
      : vscode.l10n.t('Send {0} memories to the team at {1}?', sent.length, withoutLinks(address, MAX_MESSAGE_LENGTH)),
    { modal: true, detail: shown(sent) },
    sending,
  );
  if (chosen !== sending) return;
  const token = await tokenOf(editor.context, address);
  const environment = token === undefined ? {} : tokenFor(address, token);
  const { promoted, waiting } = await promote<Promoted>(editor, place, [...ids, '--yes'], environment);
  const said =
    waiting.length > 0
      ? vscode.l10n.t('The team does not answer. Waiting here until it does: {0}.', counted.memories(waiting.length))
      : vscode.l10n.t('Sent to the team: {0}.', counted.memories(promoted.length));
  vscode.window.showInformationMessage(said);
}

function shown(sent: readonly Sent[]): string {
  const texts = sent
    .slice(0, MOST_SHOWN)
    .map(({ kind, content, rationale, alternatives_rejected = [], entities }) =>
      [
        `${kindName(kind)}: ${plainLine(content, MAX_MESSAGE_LENGTH)}`,
        ...(rationale === undefined ? [] : [vscode.l10n.t('Why: {0}', plainLine(rationale, MAX_MESSAGE_LENGTH))]),
        ...(alternatives_rejected.length === 0
          ? []
          : [vscode.l10n.t('Rejected: {0}', plainLine(alternatives_rejected.join('; '), MAX_MESSAGE_LENGTH))]),
        ...(entities.length === 0
          ? []
          : [vscode.l10n.t('About: {0}', plainLine(entities.join(', '), MAX_MESSAGE_LENGTH))]),
      ].join('\n'),
    );
  const more = sent.length - texts.length;
  return [
    ...texts,
    ...(more > 0 ? [vscode.l10n.t('And {0} more.', more)] : []),
    vscode.l10n.t('Everybody in the team can read it. Yours stays as it is.'),
  ].join('\n\n');
}

async function tellNoTeam({ folder }: Place): Promise<void> {
  const use = vscode.l10n.t("Use the Team's Memory…");
  const message = vscode.l10n.t('This folder asks no team yet.');
  if ((await vscode.window.showInformationMessage(message, use)) !== use) return;
  await vscode.commands.executeCommand('agentMemory.useTeam', { folder: folder.toString() });
}

/** @throws Error with what the command says is wrong */
async function promote<Answer>(
  editor: Editor,
  place: Place,
  options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const ended = await runProgram(editor, {
    ...{ program: 'svc-memory', arguments: ['promote', ...options, '--json'], environment },
    folder: memoryFolder(place),
  });
  if (ended.status !== 0) throw new Error(plainLine(failureOf(ended), MAX_MESSAGE_LENGTH));
  return JSON.parse(ended.output) as Answer;
}
