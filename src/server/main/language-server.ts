/** The main of `svc-language-server`. */
import { version } from '../../../package.json';
import { serveEditor } from '../lsp/server';
import { isAskedAbout } from './about-server';
import { teamConnector } from './load-team';
import {
  chooseSqlite,
  EDITOR_CLIENT,
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

const HELP = `Usage: ${PROGRAM}

Shows the memory of a window's folders in the editor: lenses, hovers, problems.
The extension starts it; it speaks the Language Server Protocol on standard
input and output.

Options:
  -V, --version  print the version
  -h, --help     print this
`;

/** `svc-language-server`: the memory of a window's folders, for the editor on standard input and output. */
async function main(): Promise<void> {
  if (await isAskedAbout(PROGRAM, { help: HELP, waits: 'this is for the editor, and waits for it' })) return;
  chooseSqlite();
  keepCompiledCode();
  const { home, storeFile, projectRoot } = processSurroundings();
  await serveEditor({
    around: { home, storeFile, projectRoot },
    version,
    holder: () => processHolder(EDITOR_CLIENT, 'person'),
    tokenizer,
    assets: __dirname,
    git: gitHost(),
    input: process.stdin,
    output: process.stdout,
    onRequest: releaseMemoryWhenIdle(),
    log: stderrLog(PROGRAM),
    teamConnector,
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => endWith(PROGRAM, error),
);
