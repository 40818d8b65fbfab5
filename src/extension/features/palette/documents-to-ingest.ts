/** Shows what an ingestion would read and send, and lets the person choose before a model is asked. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { counted } from '../../kinds';
import { failureOf, runProgram } from '../../programs';
import { MAX_MESSAGE_LENGTH, withoutIcons, withoutLinks } from '../../stored-text';
import { CLOUDS, type Provider } from './choose-provider';
import type { Doing } from './command';
import { memoryFolder } from './memory-folder';
import { withProgress } from './progress';

/** Of `svc ingest --dry-run --json`: what is read of it here. */
interface Planned {
  readonly sections: readonly { readonly document: string }[];
  readonly estimate: {
    readonly questions: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost_usd: number | null;
  };
}

/**
 * The documents that are to be ingested: where there are several, those that the person leaves ticked.
 * @param path absolute
 * @returns absolute paths; undefined when the person does not want to
 */
export async function chooseDocuments(doing: Doing, path: string): Promise<readonly string[] | undefined> {
  const planned = await plan(doing, vscode.l10n.t('Looking for documents'), 'none', [path]);
  if (!planned) return undefined;
  const counts = new Map<string, number>();
  for (const { document } of planned.sections) counts.set(document, (counts.get(document) ?? 0) + 1);
  // What is bound without a model already may be asked about with one.
  if (counts.size <= 1) return [path];
  const items = [...counts].map(([document, sections]) => ({
    ...{ document, picked: true, label: withoutIcons(document) },
    description: counted.sections(sections),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('Ingest {0} sections of {1} documents', planned.sections.length, counts.size),
    placeHolder: vscode.l10n.t('Leave out what does not describe the code'),
  });
  if (!chosen || chosen.length === 0) return undefined;
  if (chosen.length === items.length) return [path];
  const { store, path: folder } = memoryFolder(doing.place);
  return chosen.map(({ document }) => join(store.root ?? folder, document));
}

/** Says how much goes to a model that is paid by the token, and what that costs. @returns whether it may go */
export async function agreeToCost(doing: Doing, provider: Provider, paths: readonly string[]): Promise<boolean> {
  if (!(provider.name in CLOUDS)) return true;
  const planned = await plan(doing, vscode.l10n.t('Counting what would be sent'), provider.name, paths);
  if (!planned) return false;
  const { questions, input_tokens: input, output_tokens: output, cost_usd: cost } = planned.estimate;
  if (questions === 0) return true;
  const number = new Intl.NumberFormat(vscode.env.language);
  const money = new Intl.NumberFormat(vscode.env.language, { style: 'currency', currency: 'USD' });
  const send = vscode.l10n.t('Send');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Ask {0} about {1} sections?', provider.label, number.format(questions)),
    {
      modal: true,
      detail: [
        vscode.l10n.t('About {0} tokens go there, and {1} come back.', number.format(input), number.format(output)),
        cost === null
          ? vscode.l10n.t('What that costs is not known here.')
          : // A fraction of a cent is no "0.00".
            vscode.l10n.t('That costs about {0}.', cost < 0.01 ? `< ${money.format(0.01)}` : money.format(cost)),
      ].join('\n'),
    },
    send,
  );
  return chosen === send;
}

/** Contacts nobody. @returns undefined where it was cancelled, or failed, which is told */
async function plan(
  doing: Doing,
  title: string,
  provider: Provider['name'],
  paths: readonly string[],
): Promise<Planned | undefined> {
  const ended = await withProgress(title, async (token, onProgress) =>
    runProgram(doing.editor, {
      ...{ program: 'svc', folder: memoryFolder(doing.place), token, onProgress },
      arguments: ['ingest', '--dry-run', '--json', '--llm', provider, '--', ...paths],
      // A host in the environment would be asked in the place of any other.
      environment: { SVC_MCP_HOST: undefined },
    }),
  );
  if (ended.status === 0) return JSON.parse(ended.output) as Planned;
  if (ended.refusals.length > 0) {
    vscode.window.showWarningMessage(withoutLinks(failureOf(ended), MAX_MESSAGE_LENGTH));
  }
  return undefined;
}
