/** Reads the answer of a model, which may hold anything. */
import type { Question } from '../../question/question';
import { cut, oneLine } from '../base/text';
import { NoAnswer, type Verdict } from './provider';
import { withoutKeys } from './without-keys';

const MAX_REASON_LENGTH = 200;
const MALFORMED = 'the answer of the model is malformed';

/**
 * What a model answered, limited to what was asked: ids of other candidates are dropped, each counts once, reasons are
 * one short line.
 * @throws NoAnswer when the answer is not of the agreed form, or is about other candidates altogether
 */
export function readVerdicts(text: string, { candidates }: Question): Verdict[] {
  const value = parseJson(text);
  const listed: unknown = typeof value === 'object' && value !== null && 'bindings' in value ? value.bindings : value;
  // That nothing is bound is said in the agreed form only.
  if (!Array.isArray(listed) || (listed === value && listed.length === 0)) throw new NoAnswer(MALFORMED);
  const open = new Set(candidates.map(({ id }) => id));
  const verdicts: Verdict[] = [];
  for (const one of listed as unknown[]) {
    const { id, confidence, reason } = fieldsOf(one);
    if (typeof id !== 'string' || typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) {
      throw new NoAnswer(MALFORMED);
    }
    if (!open.delete(id)) continue;
    verdicts.push({ id, confidence, reason: reasonOf(reason) });
  }
  if (listed.length > 0 && verdicts.length === 0) throw new NoAnswer('the model answered about other candidates');
  return verdicts;
}

function reasonOf(reason: unknown): string {
  const said = typeof reason === 'string' ? cut(oneLine(withoutKeys(reason, [])), MAX_REASON_LENGTH) : '';
  return said === '' ? 'no reason given' : said;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new NoAnswer(MALFORMED);
  return value as Readonly<Record<string, unknown>>;
}

/** Models without structured output put their JSON into a fence, or a sentence before it. */
function parseJson(text: string): unknown {
  const braces = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text, fenced(text), braces]) {
    if (candidate === undefined || candidate.trim() === '') continue;
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // The next form, else malformed.
    }
  }
  throw new NoAnswer(MALFORMED);
}

const FENCE = '```';

/** What stands in the first fence. Line by line: an answer may be long, and is the work of a stranger. */
function fenced(text: string): string | undefined {
  const lines = text.split('\n');
  const opened = lines.findIndex((line) => /```(?:json)?\s*$/.test(line));
  const closed = lines.findIndex((line, i) => i > opened && line.trimStart().startsWith(FENCE));
  return opened < 0 || closed < 0 ? undefined : lines.slice(opened + 1, closed).join('\n');
}
