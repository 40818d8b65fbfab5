/** `svc-memory doctor`. */
import { Command } from 'commander';
import { oneLine } from '../../base/text';
import type { Diagnosis } from '../../project/doctor';
import type { Cli, ExitStatus } from '../cli';
import { describeBackup } from '../describe-backup';
import { shownSize } from '../shown-size';
import type { SecretOptions } from '../stored-secrets';
import { addGlobalOptions, globalOptions } from '../tool-command';

export function doctorCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('doctor')
    .summary('Look for what is wrong or missing')
    .description(
      'Show the store in use and why it is this one, check its integrity, and name what is wrong or missing. Changes nothing. Exit status 1 when something is wrong. With --secrets it looks for secrets in everything that is stored instead, and on a terminal offers to purge them.',
    )
    .option('--secrets', 'look for passwords, keys and tokens that are stored, backups included')
    .option('--purge', 'with --secrets: delete for good what holds one')
    .option('--yes', 'with --purge: do not ask')
    .option('--json', 'print the answer as JSON');
  return addGlobalOptions(command).action(async (options: SecretOptions & { secrets?: true }) => {
    const { json } = options;
    if (options.secrets) {
      const { tellSecrets } = await import('../stored-secrets');
      finish(await tellSecrets(cli, { ...globalOptions(command), ...options }));
      return;
    }
    if (options.purge) command.error('--purge is for --secrets');
    const { diagnose } = await import('../../project/doctor');
    const { around, version, searchPath } = cli;
    const diagnosis = await diagnose({ around, version, searchPath, open: cli });
    if (json) await cli.output.json({ ok: diagnosis.problems.length === 0, ...diagnosis });
    else await cli.output.text(await describeDiagnosis(diagnosis, cli.output.width));
    finish(diagnosis.problems.length === 0 ? 0 : 1);
  });
}

export async function describeDiagnosis(found: Diagnosis, width: number): Promise<string> {
  const { listing } = await import('../listing');
  const { versions, store, memories, jobs, client_config: clients } = found;
  const sections: [string, unknown][] = [
    ['Versions', { 'svc-memory': versions.program, Node: versions.node, SQLite: describeSqlite(versions) }],
    [
      'Store',
      {
        path: store.path,
        'why this one': store.reason,
        'code root': store.root ?? 'none',
        size: store.exists ? `${shownSize(store.size_bytes)}, log ${shownSize(store.log_bytes)}` : 'not there yet',
        schema: store.schema === null ? null : `${store.schema} (this program knows ${store.known_schema})`,
        integrity: store.integrity,
        'newest backup': store.newest_backup ? describeBackup(store.newest_backup) : 'none',
        'erase pending': found.erase_pending,
        jobs: jobs && `${jobs.queued} waiting, ${jobs.running} running, ${jobs.failed} failed`,
      },
    ],
    [
      'Memories, with those that are closed',
      Object.fromEntries(Object.entries(memories).map(([name, counts]) => [name, counted(counts)])),
    ],
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

const DRIVERS = {
  native: 'the module compiled on this machine',
  node: 'the one that Node brings',
} as const;

function describeSqlite({ sqlite, sqlite_driver }: Diagnosis['versions']): string | null {
  const driver = sqlite_driver && DRIVERS[sqlite_driver];
  return driver && sqlite ? `${sqlite}, ${driver}` : driver;
}

function counted(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([kind, count]) => `${kind} ${count}`).join(', ') || 'nothing yet';
}
