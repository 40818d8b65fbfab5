/*
 * The command line in the process of the tests, for suites about what commands make of memories and code: the start of a
 * process takes ten times as long as most commands. `main/` hands its process to the same functions. What belongs to a
 * process (streams, signals, environment) is tested with the built programs, and `npm run test:long` runs all with them.
 */
import { readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { HOST } from '../../src/server/base/host';
import { openOutput } from '../../src/server/cli/output';
import { buildProgram } from '../../src/server/cli/program';
import { runProgram } from '../../src/server/cli/run-program';
import { buildSvcProgram } from '../../src/server/cli/svc-program';
import { openSourceThreads } from '../../src/server/graph/source-thread';
import { openTokenizer, type TokenCounter } from '../../src/server/render/tokens';
import { type CommandLine, commandLineIn, PROGRAM_FILE, type Ran } from './command-line';
import { testHolder } from './holder';
import { IS_LONG } from './long';
import { startedSmall } from './small-starter';
import { type Place, serverEnvironment } from './stdio-client';

const PROGRAMS = resolve(__dirname, '../../dist');
const THREADS = openSourceThreads(1, { assets: PROGRAMS });
type BuildProgram = Parameters<typeof runProgram>[1];
const BUILDERS = new Map<string, BuildProgram>([
  [PROGRAM_FILE, buildProgram],
  [join(PROGRAMS, 'svc.js'), buildSvcProgram],
]);
const FOREIGN_LIMIT_MS = 30_000;
const NO_ACCESS = { key: undefined, baseUrl: undefined };

let opened: TokenCounter | undefined;

/** For commands of which nothing is said but where they run; the others are run as always. */
export function commandLineHere(place: Place): CommandLine {
  const apart = commandLineIn(place);
  if (IS_LONG) return apart;
  return commandLineIn(place, (args, options = {}) => {
    const { cwd, program = PROGRAM_FILE, ...others } = options;
    const build = BUILDERS.get(program);
    if (!build || Object.keys(others).length > 0) return apart.run(args, options);
    return runHere(place, build, args, cwd);
  });
}

async function runHere(place: Place, build: BuildProgram, args: readonly string[], cwd = '.'): Promise<Ran> {
  const [out, err] = [collected(), collected()];
  const environment = serverEnvironment(place);
  const searchPath = (environment.PATH ?? '').split(delimiter);
  const status = await runProgram(
    {
      around: { cwd: join(place.folder, cwd), home: place.home, storeFile: undefined, projectRoot: undefined },
      version: '0.0.0',
      missing: async () => undefined,
      namespace: undefined,
      holder: () => testHolder({ host: HOST, client: 'cli' }),
      keep: undefined,
      tokenizer: () => {
        opened ??= openTokenizer(readFileSync(join(PROGRAMS, 'o200k_base.bin')));
        return opened;
      },
      output: openOutput({ out: out.stream, err: err.stream, noColour: true }),
      log: () => {},
      stdin: async () => Buffer.alloc(0),
      startedByAgent: false,
      ask: undefined,
      llm: {
        hostSocket: undefined,
        hostToken: undefined,
        ollamaHost: undefined,
        anthropic: NO_ACCESS,
        openai: NO_ACCESS,
      },
      signal: new AbortController().signal,
      programs: PROGRAMS,
      node: process.execPath,
      searchPath,
      git: { searchPath, environment, start: startedSmall },
      connectTeam: () => {
        throw new Error('Commands in the process of the tests ask no team');
      },
      github: { apiUrl: undefined, repository: undefined, ref: undefined, token: undefined },
      foreignLimitMs: FOREIGN_LIMIT_MS,
      threads: THREADS,
    },
    build,
    args,
  );
  return { status, out: out.text(), err: err.text() };
}

function collected(): { readonly stream: NodeJS.WriteStream; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => Buffer.concat(chunks).toString() };
}
