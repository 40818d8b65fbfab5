/** Reads a memory out of a Markdown file: one of ours, or one that people wrote. Pure. */
import { KINDS, MEMORY_KINDS, type MemoryKind } from '../../kinds/kinds';
import { parseTimestamp } from '../base/clock';
import { SvcError } from '../base/errors';
import { oneLine } from '../base/text';
import type { Adr } from '../bring/adr/adr';
import { readEscaped } from '../bring/adr/escaped-lines';
import { optionsIn } from '../bring/adr/options';
import { adrOf, isUntitled } from '../bring/adr/read-adr';
import { joined, titled, turnedDown } from '../bring/adr/told';
import { codeIn, type Page, type Part, partsOf, trimLines } from '../bring/markdown';
import type { PlacedTouch } from '../memory/code/touches';
import { MAX_CONTENT_BYTES, MAX_ENTITIES, MAX_NAME_LENGTH } from '../memory/limits';
import { ORIGIN_KINDS, type Origin } from '../memory/origins';
import { lineOfField, readPage } from './front-matter';
import { FIELDS, type FileProblem, REJECTED, type SharedMemory, WHY } from './shared-memory';

export type ReadMemory = { readonly memory: SharedMemory } | { readonly problem: FileProblem };

/** Names that are taken from the text of a record that says of no name what it is about. */
const MAX_NAMES_IN_TEXT = 8;
/** A file with more links is none of a memory. */
export const MAX_LINKS = 200;

/** Ends the reading of one file. */
class Wrong extends Error {
  constructor(
    readonly field: string | undefined,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** @param written when the file was: a memory of ours whose status closes it, and says no time, was true until then */
export function readMemory(text: string, written?: string): ReadMemory {
  const found = readPage(text);
  if ('problem' in found) return found;
  try {
    return { memory: memoryOf(found.page, written) };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    const { field, reason } = error;
    return { problem: { line: field === undefined ? 1 : lineOfField(text, field), reason } };
  }
}

function memoryOf(page: Page, written: string | undefined): SharedMemory {
  const given = text(page, FIELDS.kind);
  const kind = given === undefined ? undefined : kindOf(given);
  const adr = kind === undefined || kind === 'decision' ? adrOf(page) : undefined;
  if (adr) return { ...common(page), ...decided(page, adr, written) };
  if (kind === undefined) {
    if (isUntitled(page)) throw new Wrong(undefined, 'its decision has no title: a line that begins with "# "');
    throw new Wrong(undefined, 'it has neither a "kind" at its top nor a section "Decision", so it is no memory');
  }
  return {
    ...common(page),
    kind,
    ...noted(page),
    about: names(page),
    supersedes: texts(page, FIELDS.supersedes),
    superseded_by: [],
  };
}

type Common = Pick<
  SharedMemory,
  'id' | 'confidence' | 'valid_from' | 'valid_until' | 'recorded_at' | 'standing' | 'links' | 'beside' | 'origin'
>;

function common(page: Page): Common {
  return {
    id: idOf(page),
    confidence: confidenceOf(page),
    valid_from: time(page, FIELDS.from) ?? time(page, FIELDS.date),
    valid_until: time(page, FIELDS.until),
    recorded_at: time(page, FIELDS.recorded),
    standing: page.fields[FIELDS.confirmed] === true ? 'confirmed' : 'stored',
    links: linksOf(page),
    beside: texts(page, FIELDS.beside),
    origin: originOf(page),
  };
}

function decided(
  page: Page,
  adr: Adr,
  written: string | undefined,
): Omit<SharedMemory, Exclude<keyof Common, 'valid_from' | 'valid_until'>> {
  const { status, content, rationale, alternatives_rejected } = adr;
  if (status.is === 'undecided') throw new Wrong(FIELDS.status, 'the decision is not made yet');
  const valid_from = adr.valid_from;
  const given = names(page);
  // A successor that is named says itself from when on.
  const isOver = status.is === 'deprecated' || (status.is === 'superseded' && status.by.length === 0);
  return {
    kind: 'decision',
    content: required(status.is === 'rejected' ? turnedDown(content) : content),
    rationale,
    alternatives_rejected,
    valid_from,
    valid_until: adr.valid_until ?? (isOver ? endOf(adr, written) : undefined),
    about: given.length > 0 || adr.id !== undefined ? given : codeIn(page.body).slice(0, MAX_NAMES_IN_TEXT),
    // What was rejected took the place of nothing.
    supersedes: status.is === 'rejected' ? [] : [...new Set([...texts(page, FIELDS.supersedes), ...adr.supersedes])],
    superseded_by: status.is === 'superseded' ? status.by : [],
  };
}

/** The date of a record of others is that of its last change; one of ours began to be true then. */
function endOf({ id, valid_from }: Adr, written: string | undefined): string {
  if (valid_from === undefined) return EARLIEST;
  return id !== undefined && written !== undefined && written > valid_from ? written : valid_from;
}

/** Of what was given up, and nobody says when it was true. */
const EARLIEST = '1970-01-01T00:00:00.000Z';

function noted({ body }: Page): Pick<SharedMemory, 'content' | 'rationale' | 'alternatives_rejected'> {
  const parts = partsOf(body);
  const first = (title: string) => parts.find((part) => part.depth === 2 && part.title === title);
  const [why, rejected] = [first(WHY), first(REJECTED)];
  // All that stands above these sections, its own headings included.
  const headings = [why, rejected]
    .filter((part) => part !== undefined)
    .map(({ title }) => new RegExp(`^ {0,3}## ${title}[ \\t]*$`, 'm'));
  const starts = headings.map((heading) => body.search(heading)).filter((at) => at >= 0);
  const above = trimLines(body.slice(0, starts.length === 0 ? undefined : Math.min(...starts)));
  const below = parts.slice(parts.findIndex((part) => part === why || part === rejected));
  const said = starts.length === 0 ? undefined : sectionsOf(below, why, rejected);
  // People give a note a heading; one that belongs to the text is escaped.
  const content = readEscaped(joined(above.replace(/^# +/, ''), said?.more ?? ''));
  const options = optionsIn(said?.rejected ?? '');
  // What is no list says why as well.
  const unlisted = options.length === 0 ? titled(REJECTED, said?.rejected ?? '') : '';
  const rationale = readEscaped(joined(said?.why ?? '', unlisted));
  return {
    content: required(content),
    rationale: rationale === '' ? undefined : rationale,
    alternatives_rejected: options.map(({ text }) => text),
  };
}

/** What each says, with its deeper headings; sections that people have added belong to the content. */
function sectionsOf(parts: readonly Part[], why: Part | undefined, rejected: Part | undefined) {
  const texts = { why: [] as string[], rejected: [] as string[], more: [] as string[] };
  let place: keyof typeof texts = 'more';
  for (const part of parts) {
    if (part.depth <= 2) place = part === why ? 'why' : part === rejected ? 'rejected' : 'more';
    const isNamed = part === why || part === rejected;
    texts[place].push(isNamed ? part.body : joined(`${'#'.repeat(part.depth)} ${part.title}`, part.body));
  }
  return { why: joined(...texts.why), rejected: joined(...texts.rejected), more: joined(...texts.more) };
}

function required(content: string): string {
  if (content.trim() === '') throw new Wrong(undefined, 'it says nothing below its fields');
  if (Buffer.byteLength(content) > MAX_CONTENT_BYTES) throw new Wrong(undefined, 'its text is longer than 100 kB');
  return content;
}

function kindOf(given: string): MemoryKind {
  const kind = MEMORY_KINDS.find((one) => one === given.toLowerCase());
  if (kind === undefined) throw new Wrong(FIELDS.kind, `the kind is none of ${MEMORY_KINDS.join(', ')}`);
  return kind;
}

function idOf(page: Page): string | undefined {
  const id = text(page, FIELDS.id);
  if (id === undefined) return undefined;
  if (!/^[a-z]{1,2}_[\w-]{1,64}$/.test(id) || !MEMORY_KINDS.some((kind) => id.startsWith(KINDS[kind].prefix))) {
    throw new Wrong(FIELDS.id, 'the id is not that of a memory');
  }
  return id;
}

function confidenceOf({ fields }: Page): number {
  const given = fields[FIELDS.confidence];
  if (given === undefined || given === null) return 1;
  if (typeof given !== 'number' || !(given >= 0 && given <= 1)) {
    throw new Wrong(FIELDS.confidence, 'the confidence is not a number from 0 to 1');
  }
  return given;
}

function time(page: Page, name: string): string | undefined {
  const given = text(page, name);
  if (given === undefined) return undefined;
  try {
    return parseTimestamp(given, name);
  } catch (error) {
    if (error instanceof SvcError) throw new Wrong(name, `"${name}" is not a date`);
    throw error;
  }
}

function originOf(page: Page): SharedMemory['origin'] {
  const [, kind = '', name = ''] = /^(\w+) ?(.*)$/.exec(text(page, FIELDS.origin) ?? '') ?? [];
  const known: Origin['kind'] | undefined = ORIGIN_KINDS.find((one) => one === kind);
  return known === undefined ? undefined : { kind: known, name: oneLine(name) };
}

function linksOf({ fields }: Page): PlacedTouch[] {
  const given = fields[FIELDS.links];
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw new Wrong(FIELDS.links, 'the links are no list');
  if (given.length > MAX_LINKS) throw new Wrong(FIELDS.links, `it has more than ${MAX_LINKS} links`);
  return given.map((one: unknown) => {
    if (typeof one !== 'object' || one === null) throw new Wrong(FIELDS.links, 'a link has no fields');
    const { path, type, name, hash, commit, accepts } = one as Readonly<Record<string, unknown>>;
    if (typeof path !== 'string' || typeof type !== 'string' || typeof name !== 'string' || typeof hash !== 'string') {
      throw new Wrong(FIELDS.links, 'a link has no path, type, name or hash');
    }
    if (/^(?:[\\/]|[a-z]:)|(?:^|[\\/])\.\.(?:[\\/]|$)/i.test(path)) {
      throw new Wrong(FIELDS.links, 'a link leads out of the project');
    }
    const confirmed = Array.isArray(accepts) ? accepts.filter((text) => typeof text === 'string') : [];
    return {
      ...{ file_path: path.replaceAll('\\', '/'), code_type: type, name, hash, confirmed },
      commit: typeof commit === 'string' ? commit : null,
    };
  });
}

function names(page: Page): string[] {
  const given = texts(page, FIELDS.about);
  if (given.length > MAX_ENTITIES) throw new Wrong(FIELDS.about, `it is about more than ${MAX_ENTITIES} names`);
  if (given.some((name) => name.length > MAX_NAME_LENGTH)) throw new Wrong(FIELDS.about, 'a name is too long');
  return [...new Set(given.map(oneLine))];
}

function texts({ fields }: Page, name: string): string[] {
  const given = fields[name];
  const list: readonly unknown[] = Array.isArray(given) ? given : given === undefined || given === null ? [] : [given];
  return list.map((one) => {
    if (typeof one !== 'string' && typeof one !== 'number') throw new Wrong(name, `"${name}" is no list of texts`);
    return String(one).trim();
  });
}

function text({ fields }: Page, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') throw new Wrong(name, `"${name}" is not a text`);
  const plain = String(value).trim();
  return plain === '' ? undefined : plain;
}
