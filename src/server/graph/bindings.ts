/** Writes documents, their sections and their bindings. */
import type { Database, Reader, Writer } from '../db/sql';

/** The one file that writes documents, their sections and what these are bound to. */

/** What a section is bound to: a symbol as it is found again when its lines move. */
export interface BoundSymbol {
  readonly file_path: string;
  readonly code_type: string;
  /** Qualified. */
  readonly name: string;
  readonly hash: string;
}

export interface Binding extends BoundSymbol {
  /** 0 to 1, as it was judged. */
  readonly confidence: number;
  readonly reason: string;
  readonly provider: string;
  readonly model: string;
}

export interface StoredDocument {
  readonly path: string;
  readonly content_hash: string;
}

export interface StoredSection {
  readonly id: number;
  readonly heading: string;
  readonly hash: string;
  /** Of the text that its bindings were made from; '' when it has not been judged. */
  readonly judged_hash: string;
  readonly provider: string;
  readonly model: string;
  /** Hashes of the candidates that were judged. */
  readonly judged: readonly string[];
}

/** A section as it was just read. */
export interface SectionToWrite {
  /** What it goes on with. */
  readonly stored: Pick<StoredSection, 'id' | 'hash'> | undefined;
  readonly heading: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly hash: string;
  readonly headingTerms: string;
  readonly textTerms: string;
}

export interface Judgement {
  readonly section: number;
  readonly hash: string;
  readonly provider: string;
  readonly model: string;
  readonly judged: readonly string[];
  readonly bindings: readonly Binding[];
}

/** How a write changed the bindings. */
export interface BindingChanges {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export function storedDocuments(sql: Reader): Promise<StoredDocument[]> {
  return sql.all<StoredDocument>('SELECT path, content_hash FROM graph_documents ORDER BY path');
}

export async function storedSections(sql: Reader, path: string): Promise<StoredSection[]> {
  const rows = await sql.all<Omit<StoredSection, 'judged'> & { judged: string }>(
    `SELECT id, heading, hash, judged_hash, provider, model, judged FROM graph_sections
     WHERE document = (SELECT id FROM graph_documents WHERE path = $path) ORDER BY start_line, id`,
    { path },
  );
  // What writeJudgement wrote.
  return rows.map((row) => ({ ...row, judged: JSON.parse(row.judged) as string[] }));
}

/** Documents of which a section was never judged, or not by this provider and model. */
export async function documentsToJudge(sql: Reader, provider: string, model: string): Promise<ReadonlySet<string>> {
  const rows = await sql.all<{ path: string }>(
    `SELECT DISTINCT d.path FROM graph_sections AS s JOIN graph_documents AS d ON d.id = s.document
     WHERE s.judged_hash <> s.hash OR s.provider <> $provider OR s.model <> $model`,
    { provider, model },
  );
  return new Set(rows.map((row) => row.path));
}

export async function ingestedPaths(sql: Reader): Promise<string[]> {
  return (await sql.all<{ path: string }>('SELECT path FROM graph_ingested ORDER BY path')).map((row) => row.path);
}

export function noteIngested(graph: Database, paths: readonly string[]): Promise<number> {
  return graph.transact((sql) =>
    sql.run('INSERT OR IGNORE INTO graph_ingested SELECT value FROM json_each($paths)', {
      paths: JSON.stringify(paths),
    }),
  );
}

/** Whether any other section was judged. */
export async function anyJudgedBut(sql: Reader, sections: readonly number[]): Promise<boolean> {
  const row = await sql.get(
    `SELECT 1 FROM graph_sections
     WHERE judged_hash <> '' AND id NOT IN (SELECT value FROM json_each($sections)) LIMIT 1`,
    { sections: JSON.stringify(sections) },
  );
  return row !== undefined;
}

/**
 * Writes a document as it was read, in one transaction. Sections that are no longer there go with their bindings;
 * those that changed keep theirs until they are judged again.
 * @returns the sections as rows, in their order, and how many bindings went
 */
export function writeDocument(
  graph: Database,
  document: StoredDocument,
  sections: readonly SectionToWrite[],
): Promise<{ readonly ids: readonly number[]; readonly removed: number }> {
  return graph.transact(async (sql) => {
    const same = await sql.get('SELECT 1 FROM graph_documents WHERE path = $path AND content_hash = $hash', {
      ...{ path: document.path, hash: document.content_hash },
    });
    const present = same === undefined ? [] : await storedSections(sql, document.path);
    // Another run wrote it meanwhile: both go on with the same rows.
    if (present.length > 0 && textsOf(present) === textsOf(sections))
      return { ids: present.map(({ id }) => id), removed: 0 };
    await sql.run(
      `INSERT INTO graph_documents (path, content_hash) VALUES ($path, $hash)
       ON CONFLICT (path) DO UPDATE SET content_hash = excluded.content_hash`,
      { path: document.path, hash: document.content_hash },
    );
    const row = await sql.get<{ id: number; last: number }>(
      `SELECT id, (SELECT coalesce(max(id), 0) FROM graph_sections) AS last FROM graph_documents WHERE path = $path`,
      { path: document.path },
    );
    // A row that another run gave up meanwhile may be that of some other section by now.
    const left = await sql.all<{ id: number }>(
      `SELECT s.id FROM json_each($stored) AS one CROSS JOIN graph_sections AS s
       ON s.id = one.value ->> 0 AND s.hash = one.value ->> 1`,
      { stored: JSON.stringify(sections.flatMap(({ stored }) => (stored ? [[stored.id, stored.hash]] : []))) },
    );
    const kept = new Set(left.map(({ id }) => id));
    let last = row?.last ?? 0;
    const ids = sections.map(({ stored }) => (stored && kept.has(stored.id) ? stored.id : ++last));
    const gone = await sql.all<{ id: number }>(
      'SELECT id FROM graph_sections WHERE document = $document AND id NOT IN (SELECT value FROM json_each($ids))',
      { document: row?.id ?? 0, ids: JSON.stringify(ids) },
    );
    const removed = await deleteSections(
      sql,
      gone.map(({ id }) => id),
    );
    const rows = JSON.stringify(
      sections.map((one, i) => [
        ...[ids[i], row?.id, one.heading, one.start_line, one.end_line, one.hash, one.headingTerms, one.textTerms],
      ]),
    );
    await sql.run(
      `INSERT INTO graph_sections (id, document, heading, start_line, end_line, hash, judged_hash, provider, model, judged)
       SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, '', '', '', '[]'
       FROM json_each($rows) WHERE true
       ON CONFLICT (id) DO UPDATE SET document = excluded.document, heading = excluded.heading, start_line = excluded.start_line,
         end_line = excluded.end_line, hash = excluded.hash`,
      { rows },
    );
    await sql.run('DELETE FROM graph_section_fts WHERE rowid IN (SELECT value ->> 0 FROM json_each($rows))', { rows });
    await sql.run(
      `INSERT INTO graph_section_fts (rowid, heading, text)
       SELECT value ->> 0, value ->> 6, value ->> 7 FROM json_each($rows)`,
      { rows },
    );
    return { ids, removed };
  });
}

/** Replaces the bindings of the sections that were just judged, unless their text has changed since. */
export function writeJudgements(graph: Database, judgements: readonly Judgement[]): Promise<BindingChanges> {
  return graph.transact(async (sql) => {
    const sum = { added: 0, changed: 0, removed: 0 };
    for (const judgement of judgements) {
      const { added, changed, removed } = await writeJudgement(sql, judgement);
      sum.added += added;
      sum.changed += changed;
      sum.removed += removed;
    }
    return sum;
  });
}

async function writeJudgement(sql: Writer, judgement: Judgement): Promise<BindingChanges> {
  const { section, hash, provider, model, judged, bindings } = judgement;
  const current = await sql.get('SELECT 1 FROM graph_sections WHERE id = $section AND hash = $hash', {
    ...{ section, hash },
  });
  // Another run has read the document since, in another form, and judges that.
  if (current === undefined) return { added: 0, changed: 0, removed: 0 };
  const before = await sql.all<Binding>(
    `SELECT file_path, code_type, name, hash, confidence, reason, provider, model
     FROM graph_bindings WHERE section = $section`,
    { section },
  );
  await sql.run('DELETE FROM graph_bindings WHERE section = $section', { section });
  await sql.run(
    `INSERT OR IGNORE INTO graph_bindings
     SELECT $section, value ->> 'file_path', value ->> 'code_type', value ->> 'name', value ->> 'hash',
            value ->> 'confidence', value ->> 'reason', value ->> 'provider', value ->> 'model'
     FROM json_each($bindings)`,
    { section, bindings: JSON.stringify(bindings) },
  );
  await sql.run(
    `UPDATE graph_sections SET judged_hash = $hash, provider = $provider, model = $model, judged = $judged
     WHERE id = $section`,
    { section, hash, provider, model, judged: JSON.stringify(judged) },
  );
  return changes(before, bindings);
}

/**
 * Brings bindings to where their symbols are now: those that were renamed or moved are found by their text, those that
 * are gone take their bindings with them.
 */
export function followSymbols(graph: Database): Promise<Pick<BindingChanges, 'changed' | 'removed'>> {
  return graph.transact(async (sql) => {
    await sql.run(
      `UPDATE graph_bindings AS b SET hash = s.hash
       FROM graph_symbols AS s JOIN graph_files AS f ON f.id = s.file
       WHERE f.path = b.file_path AND s.code_type = b.code_type AND s.qualified = b.name AND s.hash <> b.hash`,
    );
    const lost = `WHERE CASE b.code_type WHEN 'file' THEN NOT EXISTS (SELECT 1 FROM graph_files WHERE path = b.file_path)
      ELSE NOT EXISTS (SELECT 1 FROM graph_symbols AS s JOIN graph_files AS f ON f.id = s.file
        WHERE s.qualified = b.name AND f.path = b.file_path AND s.code_type = b.code_type) END`;
    const changed = await sql.run(
      `UPDATE OR IGNORE graph_bindings AS b SET file_path = now.path, name = now.name
       FROM (SELECT s.hash, s.code_type, min(f.path) AS path, min(s.qualified) AS name
             FROM graph_symbols AS s JOIN graph_files AS f ON f.id = s.file
             WHERE s.hash IN (SELECT hash FROM graph_bindings) GROUP BY s.hash, s.code_type HAVING count(*) = 1) AS now
       ${lost} AND now.hash = b.hash AND now.code_type = b.code_type`,
    );
    const removed = await sql.run(
      `DELETE FROM graph_bindings WHERE (section, file_path, code_type, name) IN
         (SELECT b.section, b.file_path, b.code_type, b.name FROM graph_bindings AS b ${lost})`,
    );
    return { changed, removed };
  });
}

/** @returns how many bindings went with the documents */
export function removeDocuments(graph: Database, paths: readonly string[]): Promise<number> {
  return graph.transact(async (sql) => {
    const list = JSON.stringify(paths);
    const sections = await sql.all<{ id: number }>(
      `SELECT s.id FROM graph_sections AS s JOIN graph_documents AS d ON d.id = s.document
       WHERE d.path IN (SELECT value FROM json_each($list))`,
      { list },
    );
    const removed = await deleteSections(
      sql,
      sections.map(({ id }) => id),
    );
    await sql.run('DELETE FROM graph_documents WHERE path IN (SELECT value FROM json_each($list))', { list });
    return removed;
  });
}

export async function countBindings(sql: Reader): Promise<number> {
  return (await sql.get<{ count: number }>('SELECT count(*) AS count FROM graph_bindings'))?.count ?? 0;
}

function textsOf(sections: readonly { readonly hash: string }[]): string {
  return sections.map(({ hash }) => hash).join();
}

async function deleteSections(sql: Writer, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const list = JSON.stringify(ids);
  const removed = await sql.run('DELETE FROM graph_bindings WHERE section IN (SELECT value FROM json_each($list))', {
    list,
  });
  await sql.run('DELETE FROM graph_section_fts WHERE rowid IN (SELECT value FROM json_each($list))', { list });
  await sql.run('DELETE FROM graph_sections WHERE id IN (SELECT value FROM json_each($list))', { list });
  return removed;
}

function changes(before: readonly Binding[], after: readonly Binding[]): BindingChanges {
  const keyOf = (one: Binding): string => `${one.file_path}\n${one.code_type}\n${one.name}`;
  const known = new Map(before.map((one) => [keyOf(one), one]));
  let added = 0;
  let changed = 0;
  for (const one of after) {
    const old = known.get(keyOf(one));
    known.delete(keyOf(one));
    if (!old) added += 1;
    else if (JSON.stringify(old) !== JSON.stringify({ ...old, ...one })) changed += 1;
  }
  return { added, changed, removed: known.size };
}
