/** The option that a record without a section for its decision marks as the one that was chosen. Pure. */
import { type Part, sectionOf } from '../markdown';
import { speaksOf } from './chosen-option';
import { isMarked, nameOf, type Option, optionsIn, textBelow, wordsOf } from './options';

export interface MarkedChoice {
  readonly chosen: string;
  /** What the record says of it. */
  readonly because: string;
  readonly rejected: readonly Option[];
}

/** Free words about what was decided, which may say otherwise. */
const SAYS_MORE =
  /\b(?:outcome|conclusion|resolution|results?|verdict|choice|decided|recommend\w*|update|addendum|amend\w*|revis\w+)\b/i;
/** Each is compared with each. */
const MOST = 50;

/** @returns undefined where nobody can tell for certain */
export function markedChoice(parts: readonly Part[], title: string): MarkedChoice | undefined {
  const section = sectionOf(parts, /^(?:considered options|options(?: considered)?|alternatives(?: considered)?)$/i);
  if (!section || parts.some((part) => part.depth > 1 && SAYS_MORE.test(part.title))) return undefined;
  const headings = parts.filter(({ depth }) => depth === 3);
  const listed = optionsIn(section.body);
  const below = headings.filter(({ above }) => above.at(-1) === section.title).map(headed);
  const options = below.length > 0 ? below : listed;
  const all = [...headings.map(headed), ...listed];
  if (all.length > MOST) return undefined;
  const marked = new Set(all.filter(isMarked).map(keyOf));
  const [chosen, ...others] = options.filter((one) => marked.has(keyOf(one)));
  if (!chosen || others.length > 0 || marked.size > 1) return undefined;
  const rejected = options.filter((one) => one !== chosen);
  if (!speaksOf(title, chosen) && rejected.some((one) => speaksOf(title, one))) return undefined;
  const own = headings.find((part) => keyOf(headed(part)) === keyOf(chosen));
  return { chosen: nameOf(chosen), because: own?.body ?? textBelow(chosen), rejected };
}

const headed = ({ title }: Part): Option => ({ text: title, number: undefined });
const keyOf = (option: Option): string => wordsOf(nameOf(option));
