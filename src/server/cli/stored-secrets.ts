/** `svc-memory doctor --secrets`: names the secrets of a store, and purges them when a person says so. */
import { counted } from '../base/counted';
import { unavailable } from '../base/errors';
import { oneLine } from '../base/text';
import type { Project } from '../project/open';
import type { FoundSecrets, StoredSecret } from '../project/stored-secrets';
import { saysYes } from './ask';
import type { Cli, ExitStatus, GlobalOptions } from './cli';
import { withProject } from './with-project';

export interface SecretOptions {
  readonly purge?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** Exit status 1 while a secret is left. */
export async function tellSecrets(cli: Cli, options: SecretOptions & GlobalOptions): Promise<ExitStatus> {
  const { findStoredSecrets } = await import('../project/stored-secrets');
  return withProject(cli, options, async (project) => {
    const found = await findStoredSecrets(project, cli.around.home);
    const isClean = found.secrets.length === 0 && found.backups.length === 0;
    if (!options.json) await cli.output.text(describe(found));
    const removed = isClean ? undefined : await purge(cli, project, found, options);
    const isDone = isClean || removed !== undefined;
    if (options.json) await cli.output.json({ ok: isDone, purged: removed !== undefined, ...found });
    else if (removed !== undefined) cli.output.note(`Purged. ${counted(removed, 'backup')} that held one went, too.`);
    return isDone ? 0 : 1;
  });
}

/** @returns how many backups were removed; undefined where nothing was purged */
async function purge(
  cli: Cli,
  project: Project,
  { secrets, backups }: FoundSecrets,
  { purge: wanted, yes, json }: SecretOptions,
): Promise<number | undefined> {
  const ask = json ? undefined : cli.ask;
  if (!wanted && !ask) {
    if (!json) cli.output.note('"svc-memory doctor --secrets --purge" deletes them for good, backups included.');
    return undefined;
  }
  if (!(wanted && yes)) {
    if (!ask) {
      throw unavailable(
        'A purge cannot be undone, and there is no terminal to ask on',
        'Run the command in a terminal, or pass --yes',
      );
    }
    const nodes = new Set(secrets.flatMap(({ node_id }) => node_id ?? [])).size;
    const what = [counted(nodes, 'node'), ...(backups.length > 0 ? [counted(backups.length, 'backup')] : [])].join(
      ' and ',
    );
    if (!(await saysYes(ask, `Delete ${what} for good? This cannot be undone. [y/N] `))) {
      cli.output.note('Nothing was deleted. "svc-memory forget --node-id <id> --purge" deletes one of them.');
      return undefined;
    }
  }
  const { purgeStoredSecrets } = await import('../project/stored-secrets');
  return purgeStoredSecrets(project, cli.around.home);
}

function describe({ secrets, looked, backups }: FoundSecrets): string {
  if (secrets.length === 0 && backups.length === 0) return `No secret was found in ${counted(looked, 'node')}.`;
  return [
    `${counted(secrets.length, 'secret')} in ${counted(looked, 'node')}:`,
    ...secrets.map(lineOf),
    ...backups.map((name) => `- the backup ${name} holds one`),
  ].join('\n');
}

function lineOf({ node_id, namespace, field, secret }: StoredSecret): string {
  const place = node_id === null ? `namespace ${oneLine(namespace)}` : `${oneLine(node_id)} in ${oneLine(namespace)}`;
  return `- ${place}, ${field}: ${secret}`;
}
