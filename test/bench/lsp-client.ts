import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CodeLens,
  createProtocolConnection,
  FileChangeType,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { languageServerProcess } from '../../src/extension/language-server-process';
import type { CallToolResult } from '../../src/protocol/requests';
import { ROOT } from './servers';

const SERVER = resolve(ROOT, 'dist/svc-language-server.js');

/** A window of an editor on one folder, over the streams of the language server, started as the extension does. */
export class LspClient {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly connection: ProtocolConnection;
  private readonly exited: Promise<void>;
  private readonly versions = new Map<string, number>();
  private told: ((at: number) => void)[] = [];

  private constructor(
    private readonly folder: string,
    environment: Readonly<Record<string, string>>,
  ) {
    const { command, args, options } = languageServerProcess(SERVER);
    const env = { ...options.env, ...environment };
    this.child = spawn(command, args, { cwd: '/', env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stderr.pipe(process.stderr);
    this.exited = new Promise((done) => this.child.once('exit', () => done()));
    this.connection = createProtocolConnection(
      new StreamMessageReader(this.child.stdout),
      new StreamMessageWriter(this.child.stdin),
    );
    this.connection.onNotification('svc/changed', () => {
      const at = performance.now();
      for (const tell of this.told.splice(0)) tell(at);
    });
    this.connection.listen();
  }

  /** Runs `work` with a server that has shaken hands, and ends it. */
  static async with<Result>(
    folder: string,
    environment: Readonly<Record<string, string>>,
    work: (server: LspClient) => Promise<Result>,
  ): Promise<Result> {
    const server = new LspClient(folder, environment);
    const { connection } = server;
    try {
      await connection.sendRequest('initialize', {
        ...{ processId: process.pid, rootUri: null, initializationOptions: {} },
        workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'bench' }],
        capabilities: { workspace: { workspaceFolders: true } },
      });
      await connection.sendNotification('initialized', {});
      return await work(server);
    } finally {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      await server.exited;
    }
  }

  /** What a tool answers. The caller states its shape. @throws Error when it refuses */
  async call<Value>(name: string, input: object): Promise<Value> {
    const folder = pathToFileURL(this.folder).href;
    const answer = await this.connection.sendRequest<CallToolResult>('svc/callTool', {
      folder,
      name,
      arguments: input,
    });
    if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`);
    return answer.value as Value;
  }

  open(path: string, text: string): void {
    const textDocument = { uri: this.uri(path), languageId: 'typescript', version: 1, text };
    void this.connection.sendNotification('textDocument/didOpen', { textDocument });
  }

  /** Replaces the whole text, unsaved. */
  edit(path: string, text: string): void {
    const version = (this.versions.get(path) ?? 1) + 1;
    this.versions.set(path, version);
    const textDocument = { uri: this.uri(path), version };
    void this.connection.sendNotification('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
  }

  lenses(uri: string): Promise<CodeLens[]> {
    return this.connection.sendRequest<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
  }

  hover(path: string, line: number, character: number): Promise<object | null> {
    const textDocument = { uri: this.uri(path) };
    return this.connection.sendRequest('textDocument/hover', { textDocument, position: { line, character } });
  }

  /** As an editor tells of files that others changed. */
  fileEvents(paths: readonly string[]): Promise<void> {
    const changes = paths.map((path) => ({ uri: this.uri(path), type: FileChangeType.Changed }));
    return this.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  }

  /** When the window is told next that something changed, by this process's clock. */
  nextChange(): Promise<number> {
    return new Promise((done) => this.told.push(done));
  }

  /** What the process keeps in memory, in bytes. Undefined where the system has no /proc. */
  residentBytes(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    } catch {
      return undefined;
    }
  }

  uri(path: string): string {
    return pathToFileURL(join(this.folder, path)).href;
  }
}
