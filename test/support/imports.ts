import type { ImportResult } from '../../src/server/memory/transfer/import';
import { callTool } from '../../src/server/tools/call-tool';
import { importOfFile } from '../../src/server/tools/memory-import';
import type { MemoryTest } from './memory';

/** What an import answers that writes nothing and refuses nothing. */
export const NOTHING: ImportResult = { imported: 0, node_ids: [], created_entity_ids: [], errors: [] };

/** As an agent does. */
export const bring = (test: MemoryTest, nodes: unknown): Promise<ImportResult> => test.ok('memory_import', { nodes });

/** As the command line does. @param isOwn whether this machine wrote the file */
export async function bringAsFile({ project }: MemoryTest, nodes: unknown, isOwn = false): Promise<ImportResult> {
  const tool = importOfFile({ name: 'memories.json', hash: 'abc', isOwn });
  const answer = await callTool([tool], project, tool.name, { nodes });
  if (!answer.ok) throw new Error(answer.text);
  // The tool's own result.
  return answer.value as ImportResult;
}

/** The row of the node with this id, all columns. */
export const rowOf = (test: MemoryTest, id: string | undefined) =>
  test.memory.sql.get<Record<string, unknown>>('SELECT * FROM mem_nodes WHERE id = $id', { id: id ?? '' });

/** Names of the entities that the node with this id is about. */
export const aboutOf = async (test: MemoryTest, id: string | undefined) =>
  (
    await test.memory.sql.all<{ content: string }>(
      `SELECT e.content FROM mem_nodes AS n JOIN mem_edges AS a ON a.type = 'ABOUT' AND a.src = n.seq
       JOIN mem_nodes AS e ON e.seq = a.dst WHERE n.id = $id ORDER BY e.seq`,
      { id: id ?? '' },
    )
  ).map(({ content }) => content);
