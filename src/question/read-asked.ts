/** Checks the questions that come in at a socket. */
import {
  MAX_HEADING_LENGTH,
  MAX_NAME_LENGTH,
  MAX_PATH_LENGTH,
  MAX_SECTION_LENGTH,
  MAX_SUMMARY_LENGTH,
  MAX_WORD_LENGTH,
  MOST_CANDIDATES,
  MOST_SECTIONS,
} from './limits';
import type { Question, SymbolSummary } from './question';
import type { Asked } from './wire';

/**
 * What came in at a host socket, when it is a question and nothing else: a field that is not known could carry a prompt.
 * @returns undefined when a field is missing, unknown, of another type or too long
 */
export function readAsked(value: unknown): Asked | undefined {
  const fields = fieldsOf(value, ['question', 'folder', 'sections'], ['model', 'token']);
  const question = fields && readQuestion(fields.question);
  if (!question) return undefined;
  const { folder, sections, model, token } = fields;
  if (!isText(folder, MAX_PATH_LENGTH) || !isCount(sections)) return undefined;
  if (model !== undefined && !isText(model, MAX_WORD_LENGTH)) return undefined;
  if (token !== undefined && !isText(token, MAX_WORD_LENGTH)) return undefined;
  return {
    question,
    folder,
    sections,
    ...(model === undefined ? {} : { model }),
    ...(token === undefined ? {} : { token }),
  };
}

function readQuestion(value: unknown): Question | undefined {
  const fields = fieldsOf(value, ['document', 'heading', 'section', 'candidates']);
  if (!fields) return undefined;
  const { document, heading, section, candidates: listed } = fields;
  if (!isText(document, MAX_PATH_LENGTH) || !isText(heading, MAX_HEADING_LENGTH)) return undefined;
  if (!isText(section, MAX_SECTION_LENGTH) || !Array.isArray(listed)) return undefined;
  if (listed.length === 0 || listed.length > MOST_CANDIDATES) return undefined;
  const candidates = listed.map(readSummary).filter((one) => one !== undefined);
  return candidates.length === listed.length ? { document, heading, section, candidates } : undefined;
}

const LENGTHS = {
  id: MAX_WORD_LENGTH,
  kind: MAX_WORD_LENGTH,
  name: MAX_NAME_LENGTH,
  path: MAX_PATH_LENGTH,
  signature: MAX_SUMMARY_LENGTH,
  summary: MAX_SUMMARY_LENGTH,
} satisfies Record<keyof SymbolSummary, number>;

function readSummary(value: unknown): SymbolSummary | undefined {
  const names = Object.keys(LENGTHS) as (keyof SymbolSummary)[];
  const fields = fieldsOf(value, names);
  if (!fields || !names.every((name) => isText(fields[name], LENGTHS[name]))) return undefined;
  // Each of its fields is a text now, and there are no others.
  return fields as Readonly<Record<keyof SymbolSummary, string>>;
}

function fieldsOf(
  value: unknown,
  needed: readonly string[],
  possible: readonly string[] = [],
): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const names = Object.keys(value);
  const known = names.every((name) => needed.includes(name) || possible.includes(name));
  return known && needed.every((name) => names.includes(name)) ? { ...value } : undefined;
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_SECTIONS;
}
