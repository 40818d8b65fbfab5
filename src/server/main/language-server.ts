/** The main of `svc-language-server`. */
import packageJson from '../../../package.json';
import { serveEditor } from '../lsp/server';
import {
  chooseSqlite,
  endWith,
  gitHost,
  keepCompiledCode,
  processHolder,
  processSurroundings,
  stderrLog,
  tokenizer,
} from './process';
import { releaseMemoryWhenIdle } from './release-memory';

const PROGRAM = 'svc-language-server';
/** Sessions that people open show it. */
const CLIENT = 'VS Code';

/** `svc-language-server`: the memory of a window's folders, for the editor on standard input and output. */
async function main(): Promise<void> {
  chooseSqlite();
  keepCompiledCode();
  const { home, storeFile, projectRoot } = processSurroundings();
  await serveEditor({
    around: { home, storeFile, projectRoot },
    version: packageJson.version,
    holder: () => processHolder(CLIENT, 'person'),
    tokenizer,
    assets: __dirname,
    git: gitHost(),
    input: process.stdin,
    output: process.stdout,
    onRequest: releaseMemoryWhenIdle(),
    log: stderrLog(PROGRAM),
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => endWith(PROGRAM, error),
);
