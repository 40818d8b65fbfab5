import { Command } from 'commander';
import { oneLine } from '../../base/text';
import type { Diagnosis } from '../../project/doctor';
import type { Cli, ExitStatus } from '../cli';
import { listing } from '../listing';
import { addGlobalOptions } from '../tool-command';

export function doctorCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('doctor')
    .summary('Look for what is wrong or missing')
    .description(
      'Show the store in use and why it is this one, check its integrity, and name what is wrong or missing. Changes nothing. Exit status 1 when something is wrong.',
    )
    .option('--json', 'print the answer as JSON');
  return addGlobalOptions(command).action(async ({ json }: { json?: true }) => {
    const { diagnose } = await import('../../project/doctor');
    const { around, version, searchPath } = cli;
    const diagnosis = await diagnose({ around, version, searchPath, open: cli });
    if (json) await cli.output.json({ ok: diagnosis.problems.length === 0, ...diagnosis });
    else await cli.output.text(describeDiagnosis(diagnosis, cli.output.width));
    finish(diagnosis.problems.length === 0 ? 0 : 1);
  });
}

export function describeDiagnosis(found: Diagnosis, width: number): string {
  const { versions, store, memories, jobs, client_config: clients } = found;
  const sections: [string, unknown][] = [
    ['Versions', { 'svc-memory': versions.program, Node: versions.node, SQLite: versions.sqlite }],
    [
      'Store',
      {
        path: store.path,
        'why this one': store.reason,
        'code root': store.root ?? 'none',
        size: store.exists ? `${bytes(store.size_bytes)}, log ${bytes(store.log_bytes)}` : 'not there yet',
        schema: store.schema === null ? null : `${store.schema} (this program knows ${store.known_schema})`,
        integrity: store.integrity,
        'erase pending': found.erase_pending,
        jobs: jobs && `${jobs.queued} waiting, ${jobs.running} running, ${jobs.failed} failed`,
      },
    ],
    ['Memories', Object.fromEntries(Object.entries(memories).map(([name, counts]) => [name, counted(counts)]))],
    [
      clients.path,
      Object.fromEntries(clients.servers.map(({ name, command, problem }) => [name, problem ?? command ?? 'by URL'])),
    ],
    ['Good to know', found.notes],
    ['Wrong', found.problems],
  ];
  const text = sections
    .filter(([, value]) => Object.keys(value ?? {}).length > 0)
    .map(([title, value]) => `## ${oneLine(title)}\n${listing(value, width)}`)
    .join('\n\n');
  return found.problems.length === 0 ? `${text}\n\nNothing is wrong.` : text;
}

function counted(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([kind, count]) => `${kind} ${count}`).join(', ') || 'nothing yet';
}

function bytes(size: number): string {
  if (size < 1024) return `${size} bytes`;
  return size < 1024 ** 2 ? `${(size / 1024).toFixed(1)} KiB` : `${(size / 1024 ** 2).toFixed(1)} MiB`;
}
