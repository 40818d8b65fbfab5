/** Turns a page of notes into drafts, one for each statement. */
import type { MemoryKind } from '../../kinds/kinds';
import { cut, oneLine } from '../base/text';
import type { Draft } from '../memory/transfer/draft';
import { fitContent, MAX_NAMES } from './fit';
import { codeIn, type Part, partsOf, statementsOf } from './markdown';

/** Shorter ones say nothing without what stands around them; a rule may be as short as "Use tabs". */
const SHORTEST = 15;
export const SHORTEST_RULE = 6;
const MAX_HEADING = 80;

/** What only leads to a list, or brings in another file. */
const LEADS_ON = /^[^\n]*:$|^@\S+[^\n]*$/;
/**
 * One sentence that only says what the page is, as "This file provides guidance to agents" does, and names no code. Where it may
 * hold a rule as well, it stays.
 */
const SAYS_WHAT_IT_IS =
  /^(?:this (?:file|page|document) (?:provides guidance|describes|lists|gives)|(?:rules|guidelines|guidance|instructions|conventions) (?:for|to|of))\b(?![^\n]*(?:;|:\s*\S|[.!?]\s+\S|\b(?:must|never|always|do not|don['’]t|has to|have to|should|are|is|may)\b))[^\n`]*$/i;
/** A block of HTML: its first line is a tag and nothing else. */
const HTML_BLOCK = /^<\/?[a-z][^>\n]{0,500}>[ \t]*(?:\n|$)/i;

export interface Statements {
  readonly kindOf: (statement: string, part: Part) => MemoryKind;
  /** Names that all of them are about, besides the code in them. */
  readonly about?: readonly string[];
  readonly valid_from?: string | undefined;
  /** In characters. */
  readonly shortest?: number;
}

/** Each statement with the heading that it stands under, because it often says what the statement is about. */
export function statementDrafts(
  body: string,
  { kindOf, about = [], valid_from, shortest = SHORTEST }: Statements,
): Draft[] {
  return partsOf(body).flatMap((part) =>
    statementsOf(part.body)
      .filter(
        (statement) =>
          oneLine(statement).length >= shortest &&
          ![LEADS_ON, SAYS_WHAT_IT_IS, HTML_BLOCK].some((pattern) => pattern.test(statement)),
      )
      .map((statement) => ({
        kind: kindOf(statement, part),
        content: fitContent(withHeading(part, statement)),
        entities: [...new Set([...about, ...codeIn(statement)])].slice(0, MAX_NAMES),
        valid_from,
      })),
  );
}

function withHeading({ depth, title }: Part, statement: string): string {
  // The title of a page is its name, and says nothing more.
  return depth < 2 || title === '' ? statement : `${cut(title, MAX_HEADING)}: ${statement}`;
}

const RUNS =
  /```|~~~|^\$ |`(?:npm|npx|pnpm|yarn|bun|make|cargo|go|python|pip|uv|docker|git|gradle|mvn|\.\/)[ /][^`]*`/m;

/** What is to be run is a procedure, other rules are how people want it. */
export function kindOfRule(statement: string): MemoryKind {
  return RUNS.test(statement) ? 'procedure' : 'preference';
}
