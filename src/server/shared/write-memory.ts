/** Writes a memory as Markdown. Pure; `read-memory` reads it back as the same memory. */
import { KINDS } from '../../kinds/kinds';
import { escapeLines } from '../bring/adr/escaped-lines';
import { slugOf, writeAdrBody, writeItem } from '../bring/adr/write-adr';
import type { PlacedTouch } from '../memory/code/touches';
import { FIELDS, REJECTED, type SharedMemory, WHY } from './shared-memory';

/** A memory with everything that a file of ours says of it. */
export type WrittenMemory = SharedMemory & { readonly id: string; readonly valid_from: string };

const MIDNIGHT = 'T00:00:00.000Z';

/** Each value has a line of its own, so that two branches which change different ones merge. */
export function writeMemory(memory: WrittenMemory): string {
  return `---\n${fieldsOf(memory).join('\n')}\n---\n\n${memory.kind === 'decision' ? decision(memory) : note(memory)}\n`;
}

/** The words it begins with, and the end of its id: no two branches give one name to two memories. */
export function fileNameOf({ id, kind, content }: Pick<WrittenMemory, 'id' | 'kind' | 'content'>): string {
  const { prefix } = KINDS[kind];
  return `${slugOf(content, kind)}-${(id.startsWith(prefix) ? id.slice(prefix.length) : id).replace(/[^\w-]/g, '')}.md`;
}

function decision({ content, rationale, alternatives_rejected }: WrittenMemory): string {
  return writeAdrBody({ content, rationale, alternatives_rejected });
}

function note({ content, rationale, alternatives_rejected }: WrittenMemory): string {
  return [
    escapeLines(content),
    ...(rationale === undefined ? [] : [whySection(rationale)]),
    ...(alternatives_rejected.length === 0 ? [] : [rejectedSection(alternatives_rejected)]),
  ].join('\n\n');
}

/** In the file of a memory that is no decision. */
export function whySection(rationale: string): string {
  return `## ${WHY}\n\n${escapeLines(rationale)}`;
}

/** In the file of a memory that is no decision. */
export function rejectedSection(rejected: readonly string[]): string {
  return `## ${REJECTED}\n\n${rejected.map(writeItem).join('\n')}`;
}

function fieldsOf(memory: WrittenMemory): string[] {
  const {
    id,
    kind,
    valid_from,
    valid_until,
    recorded_at,
    standing,
    confidence,
    about,
    links,
    supersedes,
    beside,
    origin,
  } = memory;
  const own = FIELDS;
  return [
    ...(kind === 'decision' ? [`${own.status}: accepted`] : [`${own.kind}: ${kind}`]),
    `${own.date}: ${valid_from.slice(0, 10)}`,
    `${own.id}: ${plain(id)}`,
    ...(valid_from.endsWith(MIDNIGHT) ? [] : [`${own.from}: ${JSON.stringify(valid_from)}`]),
    ...(valid_until === undefined ? [] : [`${own.until}: ${JSON.stringify(valid_until)}`]),
    ...(recorded_at === undefined || recorded_at === valid_from
      ? []
      : [`${own.recorded}: ${JSON.stringify(recorded_at)}`]),
    ...(standing === 'confirmed' ? [`${own.confirmed}: true`] : []),
    ...(confidence === 1 ? [] : [`${own.confidence}: ${confidence}`]),
    ...(origin === undefined ? [] : [`${own.origin}: ${JSON.stringify(`${origin.kind} ${origin.name}`.trim())}`]),
    ...aboutLines(about),
    ...linkLines(links),
    ...supersedesLines(supersedes),
    ...besideLines(beside),
  ];
}

/** The lines of the field. */
export function aboutLines(names: readonly string[]): string[] {
  return list(FIELDS.about, names.map(plain));
}

/** The lines of the field, for links that are to be written again. */
export function linkLines(links: readonly PlacedTouch[]): string[] {
  return list(FIELDS.links, links.map(linkText));
}

/** The lines of the field. */
export function besideLines(ids: readonly string[]): string[] {
  return list(FIELDS.beside, ids.map(plain));
}

/** The lines of the field. */
export function supersedesLines(ids: readonly string[]): string[] {
  return list(FIELDS.supersedes, ids.map(plain));
}

function list(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${name}:`, ...items.map((item) => `  - ${item}`)];
}

/** Quoted where YAML could take it for something else. */
function plain(text: string): string {
  return /^[A-Za-z_./][\w./-]*(?:[#][\w.]+)?$/.test(text) && !RESERVED.test(text) ? text : JSON.stringify(text);
}

const RESERVED = /^(?:true|false|null|yes|no|on|off|\.inf|\.nan|~|\.|\.\.\.)$/i;

function linkText({ file_path, code_type, name, hash, commit, confirmed = [] }: PlacedTouch): string {
  const values = [
    `path: ${JSON.stringify(file_path)}`,
    `type: ${JSON.stringify(code_type)}`,
    `name: ${JSON.stringify(name)}`,
    `hash: ${JSON.stringify(hash)}`,
    ...(commit ? [`commit: ${JSON.stringify(commit)}`] : []),
    ...(confirmed.length === 0 ? [] : [`accepts: [${confirmed.map((text) => JSON.stringify(text)).join(', ')}]`]),
  ];
  return `{ ${values.join(', ')} }`;
}
