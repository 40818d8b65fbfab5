/** Plans which documents and sections a run has to look at. */
import type { Reader } from '../db/sql';
import { documentsToJudge, type StoredSection, storedDocuments, storedSections } from '../graph/bindings';
import { type LeftOutDocument, leftOutDocuments } from '../graph/left-out-documents';
import type { JudgeName } from '../llm/providers';
import type { DocumentReader } from './document-reader';
import { type DocumentFile, isUnparsed, readDocument, type UnreadReason } from './documents';
import { belongsTo, type Scope } from './scope';
import type { Section } from './sections';

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
  /** Documents that cannot be taken apart. */
  readonly notParsed: readonly NotParsed[];
  /** Those of them that took a parser to find out. */
  readonly leftOut: readonly LeftOutDocument[];
  /** What was left out before, and is not any more. */
  readonly noLongerLeftOut: readonly string[];
}

export interface NotParsed {
  readonly path: string;
  readonly reason: UnreadReason;
}

export interface PlanOptions extends Judge {
  readonly root: string;
  readonly scope: Scope;
  /** Look at every section again, because code changed. */
  readonly everything: boolean;
  readonly reader: DocumentReader;
  readonly signal: AbortSignal;
}

export async function makePlan(sql: Reader, options: PlanOptions): Promise<Plan> {
  const { root, scope, everything, provider, model, reader, signal } = options;
  const known = new Map((await storedDocuments(sql)).map((one) => [one.path, one.content_hash]));
  const leftBefore = new Map((await leftOutDocuments(sql)).map((one) => [one.path, one]));
  const due = await documentsToJudge(sql, provider, model);
  const skipped: Record<string, number> = { ...scope.skipped };
  const notParsed: NotParsed[] = [];
  const leftOut: LeftOutDocument[] = [];
  const skip = (path: string, reason: UnreadReason): void => {
    skipped[reason] = (skipped[reason] ?? 0) + 1;
    if (isUnparsed(reason)) notParsed.push({ path, reason });
  };
  const files: DocumentFile[] = [];
  for (const path of scope.paths) {
    const file = readDocument(root, path);
    const left = leftBefore.get(path);
    if (typeof file === 'string') skip(path, file);
    else if (left?.content_hash === file.content_hash) {
      skip(path, left.reason);
      leftOut.push(left);
    } else files.push(file);
  }
  const present = new Set(files.map(({ path }) => path));
  const gone = [...known.keys()].filter((path) => !present.has(path) && belongsTo(scope.places, path));
  /** Where documents were that have another path now: their sections go on as they are. */
  const left = new Map(gone.map((path) => [known.get(path), path]));
  const documents: PlannedDocument[] = [];
  let unchanged = 0;
  for (const file of files) {
    if (signal.aborted) break;
    const before = known.get(file.path);
    const changed = before !== file.content_hash;
    if (!changed && !due.has(file.path) && !everything) {
      unchanged += 1;
      continue;
    }
    const read = await reader.sectionsOf(file);
    if (typeof read === 'string') {
      skip(file.path, read);
      leftOut.push({ path: file.path, content_hash: file.content_hash, reason: read });
      if (before !== undefined) gone.push(file.path);
      continue;
    }
    const moved = before === undefined ? left.get(file.content_hash) : undefined;
    if (moved !== undefined) left.delete(file.content_hash);
    const stored = await storedSections(sql, moved ?? file.path);
    const sections = planSections(file, read, stored, { provider, model });
    // An older release may have cut the same text in another way.
    const same = stored.length === sections.length && sections.every((one) => one.stored?.hash === one.section.hash);
    documents.push({ file, changed: changed || !same, sections });
  }
  const leftNow = new Set(leftOut.map(({ path }) => path));
  const noLongerLeftOut = [...leftBefore.keys()].filter(
    (path) => !leftNow.has(path) && belongsTo(scope.places, path) && !signal.aborted,
  );
  return { documents, unchanged, gone, skipped, notParsed, leftOut, noLongerLeftOut };
}

/** Each section goes on with the stored one of the same text, else with the one of the same heading. */
function planSections(
  file: DocumentFile,
  sections: readonly Section[],
  stored: readonly StoredSection[],
  judge: Judge,
): PlannedSection[] {
  const taken = new Set<StoredSection>();
  /** Hands out the first that has the same key and is free, without looking at all of them. */
  const takeBy = (keyOf: (one: { hash: string; heading: string }) => string) => {
    const queues = new Map<string, StoredSection[]>();
    for (let i = stored.length - 1; i >= 0; i--) {
      const one = stored[i];
      if (!one) continue;
      const queue = queues.get(keyOf(one));
      if (queue) queue.push(one);
      else queues.set(keyOf(one), [one]);
    }
    return (section: Section): StoredSection | undefined => {
      const queue = queues.get(keyOf(section)) ?? [];
      for (let one = queue.pop(); one; one = queue.pop()) {
        if (taken.has(one)) continue;
        taken.add(one);
        return one;
      }
      return undefined;
    };
  };
  const takeSame = takeBy(({ hash, heading }) => `${hash} ${heading}`);
  const takeText = takeBy(({ hash }) => hash);
  const takeHeading = takeBy(({ heading }) => heading);
  const bySame = sections.map(takeSame);
  const byText = sections.map((section, i) => bySame[i] ?? takeText(section));
  return sections.map((section, i) => {
    const before = byText[i] ?? takeHeading(section);
    const done =
      before?.judged_hash === section.hash && before.provider === judge.provider && before.model === judge.model;
    return { document: file.path, section, stored: before, due: !done };
  });
}
