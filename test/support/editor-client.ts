import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CodeAction,
  type CodeLens,
  createProtocolConnection,
  type Diagnostic,
  type Hover,
  type InitializeResult,
  type ProtocolConnection,
  type Registration,
  type ServerCapabilities,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import type { CallToolResult, Changed, Initialization, Requests, ServerSettings } from '../../src/protocol/requests';
import { type CodeProject, withCodeProject } from './code-project';
import { type Place, serverEnvironment } from './stdio-client';

const SERVER_FILE = resolve(__dirname, '../../dist/svc-language-server.js');
const PATIENCE_MS = 90_000;

export interface EditorOptions {
  readonly settings?: Initialization;
  /** Relative to the place; one folder, the place itself, where it is missing. */
  readonly folders?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What a person gave for the memories of teams, by address. */
  readonly tokens?: Readonly<Record<string, string>>;
  /** Called with what the server offers later. */
  readonly onRegister?: (registration: Registration) => void;
}

/** A window of an editor, as the language server sees it: a real process over standard input and output. */
export interface EditorClient {
  readonly process: ChildProcessWithoutNullStreams;
  readonly connection: ProtocolConnection;
  readonly folder: string;
  /** What the server offered at the start. */
  readonly capabilities: ServerCapabilities;
  /** Everything that was told with svc/changed. */
  readonly changes: readonly Changed[];
  readonly errors: () => string;
  uri(path: string): string;
  request<Method extends keyof Requests>(
    method: Method,
    params: Requests[Method]['params'],
  ): Promise<Requests[Method]['result']>;
  /** Calls a tool in the first folder, which must answer. */
  call<Value>(name: string, input?: Readonly<Record<string, unknown>>, namespace?: string): Promise<Value>;
  callTool(name: string, input?: Readonly<Record<string, unknown>>, namespace?: string): Promise<CallToolResult>;
  open(path: string, text: string): Promise<void>;
  /** Replaces the whole text, unsaved. */
  edit(path: string, text: string): Promise<void>;
  save(path: string): Promise<void>;
  close(path: string): Promise<void>;
  lenses(path: string): Promise<CodeLens[]>;
  /** `line: title`, resolved. */
  titles(path: string): Promise<string[]>;
  hover(path: string, line: number, character: number): Promise<string | undefined>;
  /** The newest that were published for the file. */
  diagnostics(path: string): readonly Diagnostic[];
  /** What is offered about these, at the first line. */
  quickFixes(path: string, about: readonly Diagnostic[]): Promise<readonly CodeAction[]>;
  configure(settings: ServerSettings): Promise<void>;
  /** Resolves with what `look` gives as soon as it is not undefined. */
  until<Found>(what: string, look: () => Promise<Found | undefined> | Found | undefined): Promise<Found>;
  /** Asks it to shut down and waits for its end. @returns the exit status */
  end(): Promise<number | null>;
}

export async function startEditor(place: Place, options: EditorOptions = {}): Promise<EditorClient> {
  const child = spawn(process.execPath, [SERVER_FILE], {
    cwd: '/',
    env: serverEnvironment(place, options.env),
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const folder = place.folder;
  const uri = (path: string): string => pathToFileURL(join(folder, path)).href;
  const folders = (options.folders ?? ['.']).map((path) => ({ uri: uri(path), name: path }));
  const changes: Changed[] = [];
  const published = new Map<string, readonly Diagnostic[]>();
  const versions = new Map<string, number>();
  connection.onNotification('svc/changed', (changed: Changed) => {
    changes.push(changed);
  });
  connection.onNotification('textDocument/publishDiagnostics', (sent: { uri: string; diagnostics: Diagnostic[] }) => {
    published.set(sent.uri, sent.diagnostics);
  });
  connection.onRequest('workspace/codeLens/refresh', () => null);
  connection.onRequest('svc/teamToken', ({ address }: { address: string }) => options.tokens?.[address] ?? null);
  connection.onRequest('client/registerCapability', ({ registrations }: { registrations: Registration[] }) => {
    for (const one of registrations) options.onRegister?.(one);
    return null;
  });
  // Otherwise what is asked of a server that is gone waits for ever.
  void exited.then(() => connection.dispose());
  // A server that was killed is no failure of the test that killed it.
  child.stdin.on('error', () => {});
  connection.onError(() => {});
  connection.listen();
  const { capabilities } = await connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: folders,
    capabilities: {
      textDocument: { hover: { dynamicRegistration: true } },
      workspace: {
        workspaceFolders: true,
        codeLens: { refreshSupport: true },
        didChangeWatchedFiles: { dynamicRegistration: true },
      },
    },
    initializationOptions: options.settings ?? {},
  });
  await connection.sendNotification('initialized', {});

  const [first] = folders;
  const callTool: EditorClient['callTool'] = (name, input = {}, namespace) =>
    connection.sendRequest('svc/callTool', {
      folder: first?.uri,
      name,
      arguments: input,
      ...(namespace === undefined ? {} : { namespace }),
    });
  const lenses: EditorClient['lenses'] = async (path) =>
    (await connection.sendRequest<CodeLens[] | null>('textDocument/codeLens', { textDocument: { uri: uri(path) } })) ??
    [];
  return {
    process: child,
    connection,
    folder,
    capabilities,
    changes,
    errors: () => stderr,
    uri,
    request: (method, params) => connection.sendRequest(method, params),
    callTool,
    async call<Value>(name: string, input?: Readonly<Record<string, unknown>>, namespace?: string) {
      const answer = await callTool(name, input, namespace);
      if (!answer.ok) throw new Error(`${name} refused: ${answer.error.message}`);
      return answer.value as Value;
    },
    async open(path, text) {
      versions.set(path, 1);
      const textDocument = { uri: uri(path), languageId: 'typescript', version: 1, text };
      await connection.sendNotification('textDocument/didOpen', { textDocument });
    },
    async edit(path, text) {
      const version = (versions.get(path) ?? 0) + 1;
      versions.set(path, version);
      const textDocument = { uri: uri(path), version };
      await connection.sendNotification('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
    },
    save: (path) => connection.sendNotification('textDocument/didSave', { textDocument: { uri: uri(path) } }),
    close: (path) => connection.sendNotification('textDocument/didClose', { textDocument: { uri: uri(path) } }),
    lenses,
    async titles(path) {
      return (await lenses(path)).map(({ range, command }) => `${range.start.line + 1}: ${command?.title}`);
    },
    async hover(path, line, character) {
      const found = await connection.sendRequest<Hover | null>('textDocument/hover', {
        textDocument: { uri: uri(path) },
        position: { line, character },
      });
      return found ? (found.contents as { value: string }).value : undefined;
    },
    diagnostics: (path) => published.get(uri(path)) ?? [],
    async quickFixes(path, about) {
      const start = { line: 0, character: 0 };
      const asked = { textDocument: { uri: uri(path) }, range: { start, end: start }, context: { diagnostics: about } };
      return (await connection.sendRequest<CodeAction[] | null>('textDocument/codeAction', asked)) ?? [];
    },
    configure: (settings) => connection.sendNotification('workspace/didChangeConfiguration', { settings }),
    async until(what, look) {
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        const found = await look();
        if (found !== undefined) return found;
        if (performance.now() > deadline) throw new Error(`waited in vain for ${what}; the server said: ${stderr}`);
        await new Promise((done) => setTimeout(done, 20));
      }
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      await connection.sendRequest('shutdown').catch(() => undefined);
      await connection.sendNotification('exit').catch(() => undefined);
      return exited;
    },
  };
}

export const STORE_SOURCE = `export class Store {
  get(key: string) {
    return open().find(key);
  }
}

export function open() {
  return connect('main');
}
`;
const SOURCES = { 'src/store.ts': STORE_SOURCE, 'src/other.ts': 'export const one = () => 1;\n' };

/** A built project of two sources with an editor on it. */
export function withEditor(
  work: (editor: EditorClient, project: CodeProject) => Promise<void>,
  options: EditorOptions = {},
): Promise<void> {
  return withCodeProject(SOURCES, async (project) => {
    await project.build();
    const editor = await startEditor(project, options);
    try {
      await work(editor, project);
    } finally {
      await editor.end();
    }
  });
}
