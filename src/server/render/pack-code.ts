/** Packs symbols and what belongs to them into a budget of tokens. */
import { cut, oneLine } from '../base/text';
import {
  codeHeading,
  docLine,
  type LeftOutFile,
  leftOutLine,
  memoryLine,
  neighbourLines,
  type PackedCode,
  type PackedSymbol,
  printCode,
  type SymbolNeighbour,
  sectionLine,
  signatureLine,
  titleLine,
} from './code-answer';
import type { TokenCounter } from './tokens';

/** A symbol to be packed; its comment is '' where it has none. */
export interface PackableSymbol extends PackedSymbol {
  readonly signature: string;
  readonly doc: string;
}

export interface PackableCode {
  /** Best first. */
  readonly symbols: readonly PackableSymbol[];
  readonly left_out: readonly LeftOutFile[];
}

const MAX_QUERY_LENGTH = 80;
const NOTHING = 'Nothing in the code graph matches. Ask with a name from the code, or with fewer words.';

/** Whether there is room for one more line; then it is taken. */
type Take = (line: string) => boolean;

/** The best symbols, line by line as far as the budget goes. Never larger than it. */
export function packCode(
  tokens: TokenCounter,
  query: string,
  budget: number,
  { symbols, left_out }: PackableCode,
): PackedCode {
  const asked = fittingQuery(tokens, query, budget);
  let text = codeHeading(asked);
  const take: Take = (line) => {
    const longer = `${text}\n${line}`;
    if (!tokens.fits(longer, budget)) return false;
    text = longer;
    return true;
  };
  const namedFiles = left_out.filter((file) => take(leftOutLine(file)));
  const note = symbols.length === 0 && take(NOTHING) ? { note: NOTHING } : {};
  const packed: PackedSymbol[] = [];
  for (const symbol of symbols) {
    if (!take(titleLine(symbol))) break;
    packed.push(packSymbol(symbol, take));
  }
  const value = { query: asked, budget, used: 0, left_out: namedFiles, ...note, symbols: packed };
  return { ...value, used: tokens.count(printCode(value)) };
}

/** Asks for room in the order in which the lines are printed. */
function packSymbol(symbol: PackableSymbol, take: Take): PackedSymbol {
  const { file_path, code_type, name, start_line, end_line, signature, doc } = symbol;
  const level = (what: string, ends: readonly SymbolNeighbour[], hop = 0): readonly SymbolNeighbour[] =>
    neighbourLines(what, ends, hop).some(take)
      ? ends.map(({ name, file_path, line, ambiguous }) => ({ name, file_path, line, ambiguous }))
      : [];
  return {
    ...{ file_path, code_type, name, start_line, end_line },
    signature: take(signatureLine(signature)) ? signature : null,
    doc: doc !== '' && take(docLine(doc)) ? doc : null,
    memories: symbol.memories.filter((one) => take(memoryLine(one))),
    sections: symbol.sections.filter((one) => take(sectionLine(one))),
    callers: symbol.callers.map((ends, hop) => level('called by', ends, hop)),
    callees: symbol.callees.map((ends, hop) => level('calls', ends, hop)),
    bases: level('inherits', symbol.bases),
    heirs: level('inherited by', symbol.heirs),
  };
}

/** The question, cut so that the heading takes at most a third of the budget; null where even a few letters do not fit. */
function fittingQuery(tokens: TokenCounter, query: string, budget: number): string | null {
  const whole = oneLine(query.slice(0, MAX_QUERY_LENGTH * 4)).replaceAll('"', "'");
  for (let length = MAX_QUERY_LENGTH; length > 1; length = Math.floor(length / 2)) {
    const shown = cut(whole, length);
    if (tokens.fits(codeHeading(shown), Math.floor(budget / 3))) return shown;
  }
  return null;
}
