/** Finds the secrets in a store, and deletes them for good: docs/behaviour.md, "Secrets". */
import { fileOf } from '../../store-place/store-place';
import { realPlace } from '../base/paths';
import { readAtRest } from '../db/look-at-rest';
import type { Reader } from '../db/sql';
import { deleteForGood, eraseNoted } from '../memory/forget';
import { READ_BATCH } from '../memory/limits';
import { textList } from '../memory/stored-json';
import type { Secret } from '../secrets/find-secret';
import { withArticle } from '../secrets/secret';
import { findSecretWithLibrary } from '../secrets/with-library';
import { backupsFor, removeBackup } from './backups';
import { finishErase } from './erase';
import { eraseKept } from './kept-edits';
import type { Project } from './open';

/** Where a secret stands, and what it is; never what it says. */
export interface StoredSecret {
  /** Null for the name of a namespace. */
  readonly node_id: string | null;
  /** Its number, where its name holds a secret. */
  readonly namespace: string;
  readonly field: string;
  /** `a GitHub token at character 17` */
  readonly secret: string;
}

export interface FoundSecrets {
  readonly secrets: readonly StoredSecret[];
  /** Nodes that were looked at. */
  readonly looked: number;
  /** Names of backups that hold a secret. */
  readonly backups: readonly string[];
}

interface Row {
  readonly seq: number;
  readonly id: string;
  readonly ns: number;
  readonly content: string;
  readonly rationale: string | null;
  readonly alternatives: string | null;
  readonly aliases: string | null;
  readonly links: string | null;
}

/** All namespaces, closed and forgotten nodes, too. @param links whether there is a table of them, as older stores have none */
const nodes = (
  links: boolean,
): string => `SELECT n.seq, n.id, n.seq >> 32 AS ns, n.content, n.rationale, n.alternatives_rejected AS alternatives,
    (SELECT json_group_array(alias) FROM mem_entity_names WHERE entity = n.seq AND alias IS NOT NULL) AS aliases,
    ${links ? `(SELECT json_group_array(file_path || ' ' || name) FROM mem_links WHERE node = n.seq)` : 'NULL'} AS links
  FROM mem_nodes AS n WHERE n.seq > $after ORDER BY n.seq LIMIT ${READ_BATCH}`;

interface Place {
  readonly ns: number;
  /** Null for the namespace itself. */
  readonly node: { readonly seq: number; readonly id: string } | null;
  readonly field: string;
  readonly secret: Secret;
}

async function* secretsIn(sql: Reader, onBatch: (rows: number) => void = () => {}): AsyncGenerator<Place> {
  for (const { ns, name } of await sql.all<{ ns: number; name: string }>('SELECT ns, name FROM mem_namespaces')) {
    const secret = await findSecretWithLibrary(name);
    if (secret) yield { ns, node: null, field: 'name of the namespace', secret };
  }
  const statement = nodes((await sql.get(`SELECT 1 AS one FROM sqlite_master WHERE name = 'mem_links'`)) !== undefined);
  for (let after = 0; ; ) {
    const rows = await sql.all<Row>(statement, { after });
    onBatch(rows.length);
    for (const row of rows) {
      const { ns, seq, id } = row;
      for (const [field, text] of textsOf(row)) {
        const secret = await findSecretWithLibrary(text);
        if (secret) yield { ns, node: { seq, id }, field, secret };
      }
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.seq;
  }
}

function* textsOf({ content, rationale, alternatives, aliases, links }: Row): Generator<[field: string, text: string]> {
  yield ['content', content];
  if (rationale !== null) yield ['rationale', rationale];
  for (const [field, list] of Object.entries({ alternatives_rejected: alternatives, aliases, touches: links })) {
    for (const text of textList(list)) yield [field, text];
  }
}

/** Looks through everything that is stored, and through the backups of this place. Changes nothing. */
export async function findStoredSecrets(
  { store, place }: Pick<Project, 'store' | 'place'>,
  home: string,
): Promise<FoundSecrets> {
  const names = new Map<number, string>();
  for (const { ns, name } of await store.all<{ ns: number; name: string }>('SELECT ns, name FROM mem_namespaces')) {
    if (!(await findSecretWithLibrary(name))) names.set(ns, name);
  }
  let looked = 0;
  const secrets: StoredSecret[] = [];
  const count = (rows: number): void => {
    looked += rows;
  };
  for await (const { ns, node, field, secret } of secretsIn(store, count)) {
    secrets.push({
      ...{ node_id: node?.id ?? null, namespace: names.get(ns) ?? `(number ${ns})`, field },
      secret: `${withArticle(secret.kind)} ${secret.place}`,
    });
  }
  const backups: string[] = [];
  for (const { path, name } of backupsOf(place, home)) if (await holdsSecret(path)) backups.push(name);
  return { secrets, looked, backups };
}

const backupsOf = (place: Project['place'], home: string) => backupsFor(home, realPlace(fileOf(place)));

/** One that cannot be read is left to `restore-backup`, which says so. */
async function holdsSecret(path: string): Promise<boolean> {
  try {
    return await readAtRest(path, async (sql) => {
      for await (const _ of secretsIn(sql)) return true;
      return false;
    });
  } catch {
    return false;
  }
}

/**
 * Deletes for good every node in which a secret stands, gives such a namespace another name, and deletes the backups that
 * hold one.
 * @returns how many backups went
 * @throws SvcError unavailable where the store cannot be written
 */
export async function purgeStoredSecrets(project: Project, home: string): Promise<number> {
  await project.write(async (memory) => {
    const nodes = new Map<number, Map<number, string>>();
    for await (const { ns, node } of secretsIn(memory.sql)) {
      if (node) nodes.set(ns, (nodes.get(ns) ?? new Map<number, string>()).set(node.seq, node.id));
      else {
        await memory.sql.run('UPDATE mem_namespaces SET name = $name WHERE ns = $ns', { ns, name: `renamed-${ns}` });
        const rows = await memory.sql.all<{ id: string }>(
          'SELECT id FROM mem_nodes WHERE seq >= $ns << 32 AND seq < ($ns + 1) << 32',
          { ns },
        );
        await memory.sql.batch([eraseNoted(rows.map(({ id }) => id))]);
      }
    }
    for (const [ns, ids] of nodes) {
      await deleteForGood(
        memory,
        ns,
        [...ids].map(([seq, id]) => ({ seq, id })),
      );
    }
  }, 'doctor');
  await eraseKept(project);
  const removed = await finishErase(project);
  // Of a store that was at this place before, or of one whose secret was deleted by other means.
  let others = 0;
  for (const { path } of backupsOf(project.place, home)) {
    if (!(await holdsSecret(path))) continue;
    removeBackup(path);
    others += 1;
  }
  return removed + others;
}
