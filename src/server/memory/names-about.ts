/** The names of what a memory is about. */
import type { Memory } from './memory';

/** @param namespace where it is; the active one when absent @returns none for an id that is not there */
export async function namesAbout({ sql, scope }: Memory, id: string, namespace = scope.namespace): Promise<string[]> {
  const rows = await sql.all<{ name: string }>(
    `SELECT e.content AS name
     FROM mem_namespaces AS at CROSS JOIN mem_nodes AS n ON n.id = $id AND +(n.seq >> 32) = at.ns
     CROSS JOIN mem_edges AS about ON about.type = 'ABOUT' AND about.src = n.seq
     CROSS JOIN mem_nodes AS e ON e.seq = about.dst
     WHERE at.name = $namespace`,
    { namespace, id },
  );
  return rows.map(({ name }) => name);
}
