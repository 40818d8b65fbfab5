// What a project says of the code of its memories, in lines that two programs can be compared by.
import { codeDoubts } from '../../src/server/memory/code/doubts';
import { locateTouches, TOUCH_COLUMNS, type Touch } from '../../src/server/memory/code/touches';
import type { FollowedRepository } from './followed-repository';

/** Verdict and place of each link. */
export async function linksSaid(project: FollowedRepository['project'], ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  // All at once: each question opens the repository.
  const keys = await project.memory.sql.all<Touch & { id: string }>(
    `SELECT n.id, ${TOUCH_COLUMNS} FROM mem_links AS t JOIN mem_nodes AS n ON n.seq = t.node ORDER BY t.id`,
  );
  for (const [i, now] of (await locateTouches(project.memory, keys)).entries()) {
    const { id, file_path, name } = keys[i] ?? { id: '' };
    const place = now.symbol ? `${now.symbol.file_path}#${now.symbol.name}:${now.symbol.start_line}` : 'nowhere';
    found.push(`memory ${ids.indexOf(id)}, ${file_path}#${name}: ${now.verdict} ${now.ref ?? ''} ${place}`);
  }
  return found;
}

/** The same, what waits for a person, and what the diff since HEAD touches. */
export async function said({ project, call }: FollowedRepository, ids: readonly string[]): Promise<string[]> {
  const found = await linksSaid(project, ids);
  const named = (some: readonly string[]): string =>
    some
      .map((id) => ids.indexOf(id))
      .sort()
      .join();
  const doubts = (await codeDoubts(project.memory)).map(
    ({ key, verdict, now, node_ids }) =>
      `review: ${key.file_path}#${key.name} ${verdict} ${now?.file_path}#${now?.name} of ${named(node_ids)}`,
  );
  const { memories } = await call<{ memories: readonly { id: string; verdict: string }[] }>('check', {});
  const checked = memories.map(({ id, verdict }) => `check: ${named([id])} ${verdict}`);
  return [...found, ...doubts.sort(), ...checked.sort()];
}
