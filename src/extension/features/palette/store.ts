/** The commands for the store as a whole. */
import * as vscode from 'vscode';
import type { NodeDetails } from '../../../protocol/tool-values';
import { storeAt } from '../../../store-place/locate';
import { fileOf } from '../../../store-place/store-place';
import { homeFolder } from '../../environment';
import { isShared } from '../../kinds';
import type { Place } from '../../memories';
import { setting } from '../../settings';
import { plainLine, withoutLinks } from '../../stored-text';
import { targetsOf } from '../memory-targets';
import { describedBriefly, pickMemory } from '../pick-memory';
import { trustStore } from '../trust-store';
import type { Doing, PaletteCommand } from './command';
import { memoryFolder } from './memory-folder';
import { fromJson, MOST_LOGGED, runAndTell } from './run-and-tell';

/** What people do with the store as a whole. Most of it is done by the command line that comes with the extension. */
export const STORE_COMMANDS: readonly PaletteCommand[] = [
  { command: 'agentMemory.init', writes: 'memories', begins: true, run: initialise },
  { command: 'agentMemory.export', writes: false, needsStore: true, run: exportAll },
  { command: 'agentMemory.import', writes: 'memories', run: importFile },
  { command: 'agentMemory.purge', writes: 'memories', needsStore: true, run: purge },
  { command: 'agentMemory.verifyStaleness', writes: 'memories', needsStore: true, run: verifyStaleness },
  { command: 'agentMemory.consolidate', writes: 'memories', needsStore: true, run: consolidate },
  {
    command: 'agentMemory.trustStore',
    writes: 'files',
    needsStore: true,
    run: ({ memories, place }) => trustStore(memories, place),
  },
];

/** As `svc-memory init --json` gives it. */
interface Initialised {
  readonly created: boolean;
}

/** The store is the folder's own, as the first write would make it; a setting may name another. */
async function initialise(doing: Doing): Promise<void> {
  const folder = memoryFolder(doing.place);
  const file = folder.store.file ?? fileOf(storeAt(folder.path, homeFolder()));
  const build = vscode.l10n.t('Build Code Graph');
  const wantsGraph = await runAndTell(doing, {
    title: vscode.l10n.t('Initialising the memory'),
    program: 'svc-memory',
    arguments: ['init', '--json'],
    environment: { SVC_MEMORY_DB: file },
    summary: fromJson<Initialised>(({ created }) =>
      created ? vscode.l10n.t('Created the store {0}', file) : vscode.l10n.t('The store already exists: {0}', file),
    ),
    // Otherwise it is built by itself now.
    ...(setting('autoBuild', folder.uri) ? {} : { button: build }),
  });
  if (wantsGraph) await vscode.commands.executeCommand('agentMemory.buildGraph', folder.uri);
}

async function exportAll(doing: Doing): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export All Memories'),
    defaultUri: vscode.Uri.joinPath(doing.place.folder, 'memories.json'),
    filters: { JSON: ['json'] },
  });
  if (!target) return;
  const opens = await runAndTell(doing, {
    title: vscode.l10n.t('Exporting memories'),
    program: 'svc-memory',
    // The dialog has asked whether a file that is there may be replaced.
    arguments: ['export', '--force', '--', target.fsPath],
    summary: () => vscode.l10n.t('Exported all memories of all namespaces to {0}', target.fsPath),
    button: vscode.l10n.t('Open File'),
    cancelled: vscode.l10n.t('Cancelled; no file was written.'),
  });
  if (opens) await vscode.window.showTextDocument(target);
}

interface Imported {
  readonly imported: number;
  /** Until somebody keeps them. */
  readonly waits: boolean;
  /** Of objects of the file, counted from 0, or of lines of a JSONL file. */
  readonly errors: readonly { readonly index?: number; readonly line?: number; readonly message: string }[];
}

async function importFile(doing: Doing): Promise<void> {
  const [source] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Import Memories'),
      defaultUri: doing.place.folder,
      openLabel: vscode.l10n.t('Import'),
      filters: { 'JSON, JSONL': ['json', 'jsonl'] },
    })) ?? [];
  if (!source) return;
  await runAndTell(doing, {
    title: vscode.l10n.t('Importing memories'),
    program: 'svc-memory',
    arguments: ['import', '--json', '--', source.fsPath],
    changes: true,
    summary: fromJson<Imported>(({ imported, waits, errors }) => {
      for (const { index, line, message } of errors.slice(0, MOST_LOGGED)) {
        doing.editor.log.warn(`${line === undefined ? `nodes[${index}]` : `line ${line}`}: ${plainLine(message)}`);
      }
      return [
        imported === 0
          ? errors.length > 0
            ? vscode.l10n.t('Nothing new was in the file.')
            : vscode.l10n.t('The store has all of the file already, each memory in the namespace that it is from.')
          : vscode.l10n.t('Imported {0} memories, sessions and entities.', imported),
        ...(errors.length > 0 ? [vscode.l10n.t('Refused: {0}.', errors.length)] : []),
        ...(waits ? [vscode.l10n.t('What was imported waits in Review until you keep or drop it.')] : []),
      ].join(' ');
    }),
    cancelled: vscode.l10n.t('Cancelled; nothing was imported.'),
  });
}

/** Asks twice: nothing brings a purged memory back. */
async function purge({ editor, memories, place, argument }: Doing): Promise<void> {
  const [given] = targetsOf(editor, argument, undefined);
  const title = vscode.l10n.t('Delete which memory for good?');
  const target = given ?? (await pickMemory(editor, memories, title, 'any', place));
  if (!target) return;
  const memory = await memories.call<NodeDetails>(target.place, 'node', { id: target.nodeId });
  if (isShared(memory)) {
    vscode.window.showInformationMessage(
      vscode.l10n.t('This memory is shared: it is in a file that Git keeps. "Forget" deletes the file.'),
    );
    return;
  }
  const forget = vscode.l10n.t('To hide the memory and be able to restore it, use "Forget" instead.');
  const detail = [withoutLinks(memory.content, 300), describedBriefly(memory)];
  const go = vscode.l10n.t('Continue…');
  const first = await vscode.window.showWarningMessage(
    vscode.l10n.t('Delete this memory for good?'),
    {
      modal: true,
      detail: [...detail, ...(memory.tombstoned === 1 ? [] : [forget])].join('\n\n'),
    },
    go,
  );
  if (first !== go) return;
  const erase = vscode.l10n.t('Delete for Good');
  const second = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'You cannot undo this. No trace of the memory stays in the store, and backups that hold it are deleted, too.',
    ),
    { modal: true, detail: detail.join('\n\n') },
    erase,
  );
  if (second !== erase) return;
  await memories.call(target.place, 'memory_forget', { node_id: target.nodeId, purge: true });
  vscode.window.showInformationMessage(vscode.l10n.t('The memory is deleted for good.'));
}

async function verifyStaleness({ memories, place }: Doing): Promise<void> {
  const { checked } = await memories.call<{ checked: number }>(place, 'memory_verify_staleness');
  // As the badge and Review count them.
  const { stale, stale_files, graph } = await memories.state(place);
  if (graph && !graph.exists) return offerGraph(place);
  const review = vscode.l10n.t('Review');
  const doubts = [
    ...(stale > 0 ? [vscode.l10n.t('Memories that no longer fit their code: {0}.', stale)] : []),
    ...(stale_files > 0 ? [vscode.l10n.t('About a file that changed: {0}.', stale_files)] : []),
  ];
  const none =
    checked === 0
      ? vscode.l10n.t('No memory here is linked to code.')
      : vscode.l10n.t('No memory on code is in doubt.');
  const chosen = await vscode.window.showInformationMessage(
    doubts.length === 0 ? none : doubts.join(' '),
    ...(doubts.length > 0 ? [review] : []),
  );
  if (chosen === review) await vscode.commands.executeCommand('agentMemory.review.focus');
}

/** Without one nothing is known of the code of most memories. */
async function offerGraph({ folder }: Place): Promise<void> {
  const build = vscode.l10n.t('Build Code Graph');
  const message = vscode.l10n.t(
    'There is no code graph that can be used, so memories cannot be checked against their code.',
  );
  const chosen = await vscode.window.showInformationMessage(message, build);
  if (chosen === build) await vscode.commands.executeCommand('agentMemory.buildGraph', folder);
}

interface Consolidated {
  readonly namespaces: readonly { readonly merged: readonly unknown[]; readonly closed: readonly unknown[] }[];
  readonly sessions: readonly unknown[];
}

async function consolidate(doing: Doing): Promise<void> {
  await runAndTell(doing, {
    title: vscode.l10n.t('Looking for near-duplicates'),
    program: 'svc-memory',
    arguments: ['consolidate', '--all', '--json'],
    changes: true,
    summary: fromJson<Consolidated>(({ namespaces, sessions }) => {
      const closed = namespaces.reduce((sum, one) => sum + one.closed.length, 0);
      const merged = namespaces.reduce((sum, one) => sum + one.merged.length, 0);
      if (closed + merged + sessions.length === 0) return vscode.l10n.t('There was nothing to consolidate.');
      return vscode.l10n.t(
        'Closed near-duplicates: {0}. Merged spelling variants: {1}. Closed abandoned sessions: {2}.',
        closed,
        merged,
        sessions.length,
      );
    }),
  });
}
