/** `svc-memory export`. */
import { createWriteStream } from 'node:fs';
import { lstat, readlink, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { conflict, unavailable } from '../../base/errors';
import { readBeginning } from '../../base/regular-file';
import { escapeControls, quoted } from '../../base/text';
import type { Cli, ExitStatus } from '../cli';
import { type Progress, showProgress } from '../progress';
import { addGlobalOptions, globalOptions } from '../tool-command';
import { withProject } from '../with-project';
import { FORMS, type Form } from './export-to';

const ABOUT = `Write the whole store, all namespaces, as JSON {nodes, edges}: to the file, or to standard output. The file appears when it is complete. "svc-memory import" reads it: this machine knows its own file again and brings all back as it stood; elsewhere the memories wait until a person keeps them. With --to adr it writes the decisions of the namespace into a folder, one file each; each decision keeps its file, and files of others stay as they are. With --to agents-md it writes decisions, procedures and preferences into AGENTS.md, between marks; the text around them stays.`;

export function exportCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('export')
    .summary('Write all memories as JSON')
    .description(ABOUT)
    .argument(
      '[file]',
      'the file to write; standard output when left out, or with -; with --to adr the folder, with --to agents-md the file (AGENTS.md)',
    )
    .addOption(
      new Option('--to <form>', 'write decisions as records (MADR), or what holds into AGENTS.md').choices(FORMS),
    )
    .option('--force', 'write over a file that is no export')
    .addHelpText(
      'after',
      '\nExamples:\n  svc-memory export backup.json\n  svc-memory export | gzip > backup.json.gz\n  svc-memory export --to adr docs/adr\n  svc-memory export --to agents-md\n',
    );
  return addGlobalOptions(command, 'namespace').action(async (file: string | undefined, { force, to }: Options) => {
    if (to !== undefined) {
      const { exportAdrs, exportAgentsMd } = await import('./export-to');
      if (to === 'agents-md') return finish(await exportAgentsMd(cli, file, globalOptions(command)));
      if (file === undefined || file === '-') return command.error(`--to ${to} needs a folder`);
      return finish(await exportAdrs(cli, file, globalOptions(command)));
    }
    const progress = showProgress(cli.output, 'Exporting');
    try {
      if (file === undefined || file === '-') {
        await exportTo(cli, command, progress, (piece) => cli.output.raw(escapeControls(piece)));
      } else await exportToFile(cli, command, progress, resolve(cli.around.cwd, file), force === true);
    } finally {
      progress.end();
    }
    finish(0);
  });
}

interface Options {
  readonly force?: true;
  readonly to?: Form;
}

/** @returns how many nodes were written */
async function exportTo(
  cli: Cli,
  command: Command,
  progress: Progress,
  write: (piece: string) => Promise<void>,
): Promise<number> {
  let written = 0;
  await withProject(cli, globalOptions(command), async (project) => {
    const { exportStore } = await import('../../memory/transfer/export');
    const { noteExport } = await import('../../project/own-exports');
    await exportStore(
      project.store,
      async (piece) => {
        cli.signal.throwIfAborted();
        await write(piece);
      },
      (nodes) => {
        written = nodes;
        progress.step(nodes);
      },
      // Of what came from elsewhere this machine knows nothing.
      project.memory.foreign ? undefined : noteExport(cli.around.home),
    );
  });
  return written;
}

async function exportToFile(
  cli: Cli,
  command: Command,
  progress: Progress,
  path: string,
  force: boolean,
): Promise<void> {
  await refuseTarget(path, force);
  const draft = `${path}.${process.pid}.tmp`;
  try {
    const stream = createWriteStream(draft, { flags: 'wx' });
    const failed = new Promise<never>((_, reject) => stream.once('error', () => reject(unwritable(path))));
    failed.catch(() => {});
    const write = (piece: string) =>
      Promise.race([failed, new Promise<void>((done) => stream.write(escapeControls(piece), () => done()))]);
    const written = await exportTo(cli, command, progress, write);
    await Promise.race([failed, new Promise<void>((done) => stream.end(done))]);
    await rename(draft, path).catch(() => {
      throw unwritable(path);
    });
    await cli.output.text(`Exported ${written} nodes to ${path}`);
  } finally {
    await rm(draft, { force: true });
  }
}

/** @throws SvcError conflict for a file that is not an export, for a link, and for anything but a file */
async function refuseTarget(path: string, force: boolean): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return;
  if (found.isSymbolicLink()) {
    throw conflict(
      `The file ${quoted(path)} is a link to ${quoted(await readlink(path))}`,
      'Nothing was written: a link may lead to any file. Name the file itself',
    );
  }
  if (!found.isFile()) {
    throw conflict(
      `${quoted(path)} is not a regular file`,
      'Nothing was written. Name another file, or leave it out and send standard output there',
    );
  }
  if (!force && !(await isExport(path))) {
    throw conflict(
      `The file ${quoted(path)} already exists and is not an export`,
      'Nothing was written. Name another file, or add --force to overwrite it',
    );
  }
}

async function isExport(path: string): Promise<boolean> {
  const { EXPORT_START } = await import('../../memory/transfer/export');
  const beginning = readBeginning(path, EXPORT_START.length).bytes?.toString();
  return beginning === '' || beginning === EXPORT_START;
}

function unwritable(path: string): Error {
  return unavailable(
    `The file ${quoted(path)} cannot be written`,
    'Check that its folder exists, that this user may write there, and that there is space left',
  );
}
