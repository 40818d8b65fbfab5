/** The commands for the code graph and for documents. */
import { relative } from 'node:path';
import * as vscode from 'vscode';
import { runProgram } from '../../programs';
import { plainLine } from '../../stored-text';
import { hostEnvironment } from '../host-model';
import { CLOUDS, chooseProvider, type Provider } from './choose-provider';
import type { Doing, PaletteCommand } from './command';
import { consentToSend } from './consent-to-send';
import { agreeToCost, chooseDocuments } from './documents-to-ingest';
import { type Ingested, ingestedWords } from './ingested-words';
import { memoryFolder } from './memory-folder';
import { fromJson, MOST_LOGGED, runAndTell } from './run-and-tell';

/** What is done with a folder's code and documents, all of it by the command line that comes with the extension. */
export const CODE_COMMANDS: readonly PaletteCommand[] = [
  { command: 'agentMemory.buildGraph', writes: 'files', run: buildGraph },
  { command: 'agentMemory.ingest', writes: 'files', run: ingest },
  { command: 'agentMemory.sync', writes: 'files', run: sync },
];

interface Built {
  readonly files: number;
  readonly symbols: number;
  readonly indexed: number;
  readonly linked: number;
  readonly seconds: number;
}

async function buildGraph(doing: Doing): Promise<void> {
  const folder = memoryFolder(doing.place);
  await runAndTell(doing, {
    title: vscode.l10n.t('Building the code graph'),
    program: 'svc',
    arguments: ['build', '--json', '--', folder.store.root ?? folder.path],
    summary: fromJson<Built>(({ files, symbols, indexed, linked, seconds }) =>
      [
        vscode.l10n.t('In the code graph: definitions {0}, files {1}.', symbols, files),
        vscode.l10n.t('Read {0} in {1} s.', indexed, seconds.toFixed(1)),
        ...(linked > 0 ? [vscode.l10n.t('Memories linked to code: {0}.', linked)] : []),
      ].join(' '),
    ),
  });
}

/** From the explorer's menu with a file or a folder; from the palette, which asks. */
async function ingest(doing: Doing): Promise<void> {
  const folder = memoryFolder(doing.place);
  const path = doing.argument instanceof vscode.Uri ? doing.argument.fsPath : await choosePath(folder.uri);
  if (path === undefined) return;
  const documents = await chooseDocuments(doing, path);
  if (documents) await ingestDocuments(doing, documents);
}

async function ingestDocuments(doing: Doing, documents: readonly string[]): Promise<void> {
  const folder = memoryFolder(doing.place);
  const provider = await chooseProvider();
  if (!provider || !(await agreeToCost(doing, provider, documents))) return;
  // A hover shows sections where there is a store.
  if (folder.store.kind !== 'home' && !folder.store.exists)
    await runProgram(doing.editor, { program: 'svc-memory', arguments: ['init'], folder });
  const again = { button: vscode.l10n.t('Choose Another Model…'), run: () => ingestDocuments(doing, documents) };
  const [first] = documents;
  const shown =
    first !== undefined && documents.length === 1 ? relative(folder.path, first) || folder.name : folder.name;
  await runAndTell(doing, {
    title: vscode.l10n.t('Ingesting {0}', shown),
    program: 'svc',
    // What was chosen said where the documents go.
    arguments: [
      ...['ingest', '--json', ...(provider.name in CLOUDS ? ['--yes'] : []), '--llm', provider.name],
      ...['--', ...documents],
    ],
    environment: environmentFor(provider),
    summary: fromJson(ingested(doing)),
    ...(provider.name === 'none' ? {} : { instead: again }),
  });
}

async function sync(doing: Doing): Promise<void> {
  await runAndTell(doing, {
    title: vscode.l10n.t('Syncing documents and code'),
    program: 'svc',
    arguments: ['sync', '--json'],
    environment: hostEnvironment(),
    consent: (output) => consentToSend(doing, output),
    summary: fromJson(ingested(doing)),
  });
}

/** A run that is offered a host uses it, whatever else is named; so only a run that wants it gets it. */
function environmentFor({ name }: Provider): Readonly<Record<string, string | undefined>> {
  return name === 'mcp' ? hostEnvironment() : { SVC_MCP_HOST: undefined };
}

function ingested({ editor }: Doing): (report: Ingested) => string {
  return (report) => {
    for (const { document, line, problem } of [...report.failed, ...report.withheld].slice(0, MOST_LOGGED)) {
      editor.log.warn(plainLine(`${document}:${line}: ${problem}`));
    }
    return ingestedWords(report);
  };
}

async function choosePath(folder: vscode.Uri): Promise<string | undefined> {
  const whole = { label: vscode.l10n.t('All documents of this folder'), iconPath: vscode.ThemeIcon.Folder };
  const other = { label: vscode.l10n.t('Choose a file or a folder…'), iconPath: new vscode.ThemeIcon('folder-opened') };
  const chosen = await vscode.window.showQuickPick([whole, other], { title: vscode.l10n.t('Ingest Documents') });
  if (!chosen) return undefined;
  if (chosen === whole) return folder.fsPath;
  const [picked] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Ingest Documents'),
      defaultUri: folder,
      canSelectFolders: true,
      canSelectFiles: true,
      openLabel: vscode.l10n.t('Ingest'),
    })) ?? [];
  return picked?.fsPath;
}
