/** Reads the state and the definitions of the code graph. */
import { invalidInput } from '../base/errors';
import { parameter, phrase } from '../base/phrase';
import { quoted } from '../base/text';
import { listSymbols } from '../graph/list-symbols';
import { CODE_TYPES } from '../graph/parsed';
import { type GraphStatus, graphStatus } from '../graph/status';
import { type CodeLocation, locationOf } from '../memory/code/touches';
import type { CodeHandle } from './handle';
import { requireGraph } from './query-code';

export { CODE_TYPES };

/** @throws SvcError unavailable without a graph */
export async function readGraphStatus(project: CodeHandle): Promise<GraphStatus> {
  const { sql, root } = await requireGraph(project);
  return graphStatus(sql, root);
}

export interface ListCode {
  readonly entity_type?: string | undefined;
  readonly file_path?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface CodePage {
  entities: (CodeLocation & { name: string })[];
  next_cursor: string | null;
}

/** @throws SvcError unavailable without a graph, invalid_input for a path outside the root or a foreign cursor */
export async function listCode(
  project: CodeHandle,
  { entity_type, file_path, limit, cursor }: ListCode,
): Promise<CodePage> {
  const { sql } = await requireGraph(project);
  const page = await listSymbols(sql, {
    code_type: entity_type,
    file_path: file_path === undefined ? undefined : project.memory.code.relativePath(file_path),
    limit,
    cursor,
  });
  if (!page) {
    throw invalidInput(
      phrase`${parameter('cursor')} is ${quoted(cursor ?? '')}, which is not the end of any page`,
      'Pass a next_cursor unchanged',
    );
  }
  return {
    entities: page.symbols.map((one) => ({ ...locationOf({ ...one, hash: '' }), name: one.name })),
    next_cursor: page.next_cursor,
  };
}
