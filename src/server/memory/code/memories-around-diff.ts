/** The memories that a change of files may concern. */
import type { MemoryKind } from '../../../kinds/kinds';
import { type Marked, marked } from '../marks';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import type { Standing } from '../origins';
import { missingFiles, UNSEEN, whatIsUnseen } from './links-around';
import { type CodeSymbol, isSamePlace, locateTouches, type SymbolPlace, TOUCH_COLUMNS, type Touch } from './touches';

/** An open memory with one symbol that it is about. */
export interface MemoryOnSymbol extends Marked {
  readonly id: string;
  readonly kind: MemoryKind;
  readonly content: string;
  readonly confidence: number;
  readonly valid_from: string;
  readonly standing: Standing;
  readonly rationale: string | null;
  /** The link; with the path that its file had before the diff, where that was renamed since the link was made. */
  readonly touch: Touch;
  /** Where the symbol was found last, when that is not where it was linked: of what is gone, in the last commit that had it. */
  readonly last: SymbolPlace | undefined;
  /** Where its symbol is in the working files. */
  readonly stands: SymbolPlace | undefined;
  /** Its symbol is neither in the working files nor what another branch has. */
  readonly isGone: boolean;
  /** It is on another branch's version of the code. */
  readonly ofOtherVersion: boolean;
}

/** What is said of an open memory, whatever it is on. */
export type OpenMemory = Omit<MemoryOnSymbol, 'touch' | 'last' | 'stands' | 'isGone' | 'ofOtherVersion'>;

type Row = OpenMemory & Touch;

const OPEN = 'n.tombstoned = 0 AND n.valid_until IS NULL';
const COLUMNS = 'n.id, n.kind, n.content, n.confidence, n.valid_from, n.standing, n.rationale';

interface Around {
  /** The files in which something stood before the diff. */
  readonly paths: readonly string[];
  /** Where nothing stood before; only what was linked there is asked for. */
  readonly brought: readonly string[];
  /** The commit that the diff compares with. */
  readonly base: string;
}

/**
 * The open memories of the active namespace on symbols that were linked in one of these files or are in one, also under a
 * name that the file had then, and those on a symbol with one of these texts, wherever it is. Where the code graph has not
 * seen one of the files as it is, it is looked up which symbols are there.
 * @param before the symbols that stood in the files
 */
export async function memoriesAround(
  memory: Memory,
  { paths, brought, base }: Around,
  before: readonly CodeSymbol[],
): Promise<MemoryOnSymbol[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const came = (await memory.code.cameTo?.(paths)) ?? [];
  const seen = await Promise.all(paths.map((path) => memory.code.isSeen?.(path)));
  const missing = paths.length === 0 ? [] : await missingFiles(memory);
  const unseen = seen.includes(false) ? await whatIsUnseen(memory, before, missing) : undefined;
  const renamed = await renamedInto(memory, { paths, missing, base });
  const rows = await memory.sql.all<Row>(
    `WITH found AS (
       SELECT t.id FROM json_each($linked) AS a CROSS JOIN mem_links AS t ON t.file_path = a.value
       UNION SELECT t.id FROM json_each($hashes) AS a CROSS JOIN mem_links AS t ON t.hash = a.value
       UNION SELECT x.link FROM json_each($hashes) AS a CROSS JOIN mem_link_texts AS x ON x.hash = a.value
       UNION SELECT t.id FROM json_each($came) AS a CROSS JOIN mem_links AS t ON t.file_path = a.value ->> 0
         AND t.code_type = a.value ->> 1 AND t.name = a.value ->> 2 AND t.hash = a.value ->> 3
       UNION SELECT t.id FROM json_each($renamed) AS a CROSS JOIN mem_links AS t ON t.file_path = a.value ->> 0
         AND t."commit" = a.value ->> 1
       ${unseen ? `UNION ${UNSEEN}` : ''})
     SELECT ${COLUMNS}, ${TOUCH_COLUMNS}
     FROM found AS f CROSS JOIN mem_links AS t ON t.id = f.id
     CROSS JOIN mem_nodes AS n ON n.seq = t.node
     WHERE +(n.seq >> 32) = $ns AND ${OPEN}
     ORDER BY t.file_path, t.name, n.seq, t.hash`,
    {
      ns,
      linked: JSON.stringify([...paths, ...brought]),
      hashes: JSON.stringify([...new Set(before.map(({ hash }) => hash))]),
      came: JSON.stringify(came.map(({ was }) => [was.file_path, was.code_type, was.name, was.hash])),
      renamed: JSON.stringify(renamed.map(({ file_path, commit }) => [file_path, commit])),
      ...unseen,
    },
  );
  // A symbol may be found outside the files of the diff, so what the graph says of these files is not enough.
  const located = await locateTouches(memory, rows);
  const pathBefore = new Map(renamed.map((one) => [nameOf(one), one.stood_in]));
  return rows.map(({ id, kind, content, confidence, valid_from, standing, rationale, ...link }, i) => {
    const symbol = located[i]?.symbol;
    const last = symbol ?? located[i]?.stood;
    const touch = { ...link, file_path: pathBefore.get(nameOf(link)) ?? link.file_path };
    return {
      ...marked(memory, { id, kind, content, confidence, valid_from, standing, rationale }),
      touch,
      stands: symbol,
      last: last && !isSamePlace(touch, last) ? last : undefined,
      isGone: located[i]?.verdict === 'gone',
      ofOtherVersion: located[i]?.verdict === 'other version',
    };
  });
}

interface FileOfLink {
  readonly file_path: string;
  readonly commit: string;
}

/** Files of links that are not there any more, and stood in one of these before the diff, as Git follows them. */
async function renamedInto(
  { code, sql }: Memory,
  { paths, missing, base }: Pick<Around, 'paths' | 'base'> & { readonly missing: readonly string[] },
): Promise<(FileOfLink & { readonly stood_in: string })[]> {
  const ofDiff = new Set(paths);
  const others = missing.filter((path) => !ofDiff.has(path));
  if (others.length === 0 || !code.pathsAt) return [];
  const files = await sql.all<FileOfLink>(
    `SELECT DISTINCT t.file_path, t."commit" FROM json_each($others) AS asked
     CROSS JOIN mem_links AS t ON t.file_path = asked.value WHERE t."commit" IS NOT NULL`,
    { others: JSON.stringify(others) },
  );
  const stood =
    files.length === 0
      ? []
      : await code.pathsAt(
          base,
          files.map(({ file_path, commit }) => [commit, file_path]),
        );
  return files.flatMap((file, i) => {
    const stood_in = stood[i];
    return stood_in !== undefined && ofDiff.has(stood_in) ? [{ ...file, stood_in }] : [];
  });
}

function nameOf({ file_path, commit }: Pick<Touch, 'file_path' | 'commit'>): string {
  return JSON.stringify([file_path, commit]);
}

/** Those of these memories of the active namespace that are open. */
export async function openAmong(memory: Memory, ids: readonly string[]): Promise<OpenMemory[]> {
  if (ids.length === 0) return [];
  const rows = await memory.sql.all<OpenMemory>(
    `SELECT ${COLUMNS} FROM json_each($ids) AS asked CROSS JOIN mem_nodes AS n ON n.id = asked.value
     WHERE +(n.seq >> 32) = $ns AND ${OPEN}`,
    { ns: await namespaceNumber(memory.sql, memory.scope.namespace), ids: JSON.stringify(ids) },
  );
  return rows.map((row) => marked(memory, row));
}
