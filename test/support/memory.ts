import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { IdSource } from '../../src/server/base/ids';
import { engineAt } from '../../src/server/engine/address';
import { createDatabase } from '../../src/server/engine/admin-api';
import type { GitHost } from '../../src/server/git/run-git';
import type { CodeIndex } from '../../src/server/memory/code/touches';
import type { Holder, Memory } from '../../src/server/memory/memory';
import type { Keeping } from '../../src/server/memory/origins';
import { type OpenProject, openProject, type Project, projectOn } from '../../src/server/project/open';
import type { TokenCounter } from '../../src/server/render/tokens';
import { migrateOnEngine, openOnEngine } from '../../src/server/team/engine-projects';
import { type CallOptions, callTool, type ToolAnswer } from '../../src/server/tools/call-tool';
import { MEMORY_TOOLS } from '../../src/server/tools/registry';
import { urlOf } from '../../src/store-place/store-place';
import { testHolder } from './holder';
import { removeFolder } from './remove-folder';

/** The moment at which every test's clock starts. */
export const NOON = Date.parse('2026-03-31T12:00:00.000Z');

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the engine of the tests on one is. */
    engine: { readonly address: string; readonly admin: string };
  }
}

/** Whether the store is a file. Else it is a database of an engine, of which there are no files to look into. */
export const ON_FILE = process.env.SVC_STORE !== 'engine';

export interface MemoryTest {
  /** Holds nothing but the store's own `.svc`; the project's root. */
  readonly folder: string;
  readonly project: Project;
  readonly memory: Memory;
  /** Calls a tool as every door does; never throws. */
  call(name: string, input?: unknown, options?: CallOptions): Promise<ToolAnswer>;
  /** Calls a tool that has to succeed and returns its value. `Value` states its type; it is not checked. */
  ok<Value>(name: string, input?: unknown, options?: CallOptions): Promise<Value>;
  /** Calls a tool that has to succeed and returns its answer as it is sent. */
  text(name: string, input?: unknown, options?: CallOptions): Promise<string>;
  /** Calls a tool that has to refuse and returns its words. */
  refused(name: string, input?: unknown, options?: CallOptions): Promise<string>;
  /** Moves the clock. */
  later(ms: number): void;
  /** A second process, as far as the store can tell: own scope, own connections, same file and clock. */
  another(options?: MemoryOptions): Promise<MemoryTest>;
}

export interface MemoryOptions extends Partial<Holder> {
  readonly namespace?: string;
  readonly code?: CodeIndex;
  /** What becomes of what agents store. */
  readonly keeping?: () => Keeping;
  /** Without it Git is not asked. */
  readonly git?: GitHost;
  /** In a window of the editor, the workspace. */
  readonly trusted?: boolean;
  /** Where this is missing, ids count up through all handles of the test. */
  readonly newSuffix?: IdSource;
  /** Where this is missing, tokens are counted as words: enough for all tests that are not about budgets. */
  readonly tokenizer?: TokenCounter;
}

/** Suffixes in the order of the alphabet, so that whole answers can be written down: aaaaaaaa, aaaaaaab, … */
export function countingSuffixes(): IdSource {
  let drawn = 0;
  return () => [...String(drawn++).padStart(8, '0')].map((digit) => 'abcdefghij'.charAt(Number(digit))).join('');
}

/** A project on an empty store in a temporary folder, with a clock that stands still. */
export async function withMemory(
  work: (test: MemoryTest) => Promise<void>,
  options: MemoryOptions = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-memory-'));
  const clock = { now: NOON };
  const newSuffix = countingSuffixes();
  const opened: Project[] = [];
  const openOn = ON_FILE ? openProject : await databaseOfAnEngine();
  const open = async (own: MemoryOptions): Promise<MemoryTest> => {
    const project = await openOn({
      place: { url: urlOf(join(folder, '.svc', 'memory.db')), kind: 'named', reason: 'test', root: folder },
      home: `${folder}-home`,
      holder: () => testHolder(own),
      log: (message) => console.error(message),
      tokenizer: () => own.tokenizer ?? wordCounter,
      namespace: own.namespace,
      clock: () => clock.now,
      newSuffix: own.newSuffix ?? newSuffix,
      ...(own.git ? { git: own.git } : {}),
      ...(own.trusted === undefined ? {} : { trusted: own.trusted }),
      ...(own.code ? { code: own.code } : {}),
      ...(own.keeping ? { keeping: { keeping: own.keeping, keep: () => 'keep' } } : {}),
    });
    opened.push(project);
    const call: MemoryTest['call'] = (name, input, callOptions) =>
      callTool(MEMORY_TOOLS, project, name, input, callOptions);
    return {
      folder,
      project,
      memory: project.memory,
      call,
      async ok<Value>(name: string, input?: unknown, callOptions?: CallOptions) {
        const answer = await call(name, input, callOptions);
        if (!answer.ok) throw new Error(`${name} refused: ${answer.text}`);
        return answer.value as Value;
      },
      async text(name, input, callOptions) {
        const answer = await call(name, input, callOptions);
        if (!answer.ok) throw new Error(`${name} refused: ${answer.text}`);
        return answer.text;
      },
      async refused(name, input, callOptions) {
        const answer = await call(name, input, callOptions);
        if (answer.ok) throw new Error(`${name} did not refuse: ${answer.text}`);
        return answer.text;
      },
      later: (ms) => {
        clock.now += ms;
      },
      another: (other = {}) => open(other),
    };
  };
  try {
    await work(await open(options));
  } finally {
    for (const project of opened) await project.close();
    await removeFolder(folder);
    await removeFolder(`${folder}-home`);
  }
}

const wordCounter: TokenCounter = {
  count: (text) => text.split(/\s+/u).length,
  fits: (text, limit) => text.split(/\s+/u).length <= limit,
};

/** The same project on a new database of an engine. */
async function databaseOfAnEngine(): Promise<(options: OpenProject) => Promise<Project>> {
  const server = inject('engine');
  const engine = engineAt(server.address, undefined);
  const name = `test-${randomUUID()}`;
  const admin = { address: server.admin, key: undefined };
  await createDatabase(admin, name);
  await migrateOnEngine(engine, admin, name);
  return async (options) =>
    projectOn(await openOnEngine(engine, name), {
      ...options,
      place: { ...options.place, url: `${engine.shown}/${name}` },
    });
}
