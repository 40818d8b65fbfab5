import type { Reader } from '../db/sql';
import { documentsToJudge, type StoredSection, storedDocuments, storedSections } from '../graph/bindings';
import type { JudgeName } from '../llm/providers';
import { type DocumentFile, readDocument } from './documents';
import { belongsTo, type Scope } from './scope';
import { type Section, sectionsOf } from './sections';

/** Who is to judge: a section that the same one judged already is not asked about again. */
export interface Judge {
  readonly provider: JudgeName;
  readonly model: string;
}

export interface PlannedSection {
  readonly document: string;
  readonly section: Section;
  /** As it was kept by an earlier run. */
  readonly stored: StoredSection | undefined;
  /** Its text is new, or another one judged it. */
  readonly due: boolean;
}

export interface PlannedDocument {
  readonly file: DocumentFile;
  /** It is to be written. */
  readonly changed: boolean;
  readonly sections: readonly PlannedSection[];
}

/** What a run has to look at; made without writing anything. */
export interface Plan {
  readonly documents: readonly PlannedDocument[];
  /** Documents that are what they were, and need nothing. */
  readonly unchanged: number;
  /** Documents that are gone. */
  readonly gone: readonly string[];
  readonly skipped: Readonly<Record<string, number>>;
}

export interface PlanOptions extends Judge {
  readonly root: string;
  readonly scope: Scope;
  /** Look at every section again, because code changed. */
  readonly everything: boolean;
}

export async function makePlan(sql: Reader, { root, scope, everything, provider, model }: PlanOptions): Promise<Plan> {
  const known = new Map((await storedDocuments(sql)).map((one) => [one.path, one.content_hash]));
  const due = await documentsToJudge(sql, provider, model);
  const skipped: Record<string, number> = { ...scope.skipped };
  const files: DocumentFile[] = [];
  for (const path of scope.paths) {
    const file = readDocument(root, path);
    if (typeof file === 'string') skipped[file] = (skipped[file] ?? 0) + 1;
    else files.push(file);
  }
  const present = new Set(files.map(({ path }) => path));
  const gone = [...known.keys()].filter((path) => !present.has(path) && belongsTo(scope.places, path));
  /** Where documents were that have another path now: their sections go on as they are. */
  const left = new Map(gone.map((path) => [known.get(path), path]));
  const documents: PlannedDocument[] = [];
  let unchanged = 0;
  for (const file of files) {
    const before = known.get(file.path);
    const changed = before !== file.content_hash;
    if (!changed && !due.has(file.path) && !everything) {
      unchanged += 1;
      continue;
    }
    const moved = before === undefined ? left.get(file.content_hash) : undefined;
    if (moved !== undefined) left.delete(file.content_hash);
    const stored = await storedSections(sql, moved ?? file.path);
    const sections = planSections(file, stored, { provider, model });
    // An older release may have cut the same text in another way.
    const same = stored.length === sections.length && sections.every((one) => one.stored?.hash === one.section.hash);
    documents.push({ file, changed: changed || !same, sections });
  }
  return { documents, unchanged, gone, skipped };
}

/** Each section goes on with the stored one of the same text, else with the one of the same heading. */
function planSections(file: DocumentFile, stored: readonly StoredSection[], judge: Judge): PlannedSection[] {
  const sections = sectionsOf(file.text, file.path.slice(file.path.lastIndexOf('/') + 1));
  const free = new Set(stored);
  const take = (fits: (one: StoredSection) => boolean): StoredSection | undefined => {
    for (const one of free) {
      if (!fits(one)) continue;
      free.delete(one);
      return one;
    }
    return undefined;
  };
  const bySame = sections.map(({ hash, heading }) => take((one) => one.hash === hash && one.heading === heading));
  const byText = sections.map(({ hash }, i) => bySame[i] ?? take((one) => one.hash === hash));
  return sections.map((section, i) => {
    const before = byText[i] ?? take((one) => one.heading === section.heading);
    const done =
      before?.judged_hash === section.hash && before.provider === judge.provider && before.model === judge.model;
    return { document: file.path, section, stored: before, due: !done };
  });
}
