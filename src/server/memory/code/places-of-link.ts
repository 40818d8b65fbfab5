/** Where a link is: in one place, or on several overloads of a function. */
import { acceptedTexts, accepts } from './accepted-texts';
import { type CodeSymbol, type LocatedSymbol, placeIn, type SymbolPlace, type TouchKey, type Verdict } from './touches';

/** A place of a link, and what is said of it there. */
export interface PlaceOfLink extends SymbolPlace {
  readonly verdict: Verdict;
  readonly symbol: CodeSymbol | undefined;
}

/** All places of a link; the one that its verdict is about is the first. */
export function placesOf(now: LocatedSymbol, key: TouchKey): PlaceOfLink[] {
  const { verdict, symbol, beside = [] } = now;
  const { file_path, code_type, name } = placeIn(now, key);
  const texts = acceptedTexts(key);
  return [
    { file_path, code_type, name, symbol, verdict },
    ...beside.map((one): PlaceOfLink => {
      const is = { file_path: one.file_path, code_type: one.code_type, name: one.name, symbol: one };
      return { ...is, verdict: accepts(texts, one) ? 'unchanged' : verdict };
    }),
  ];
}

/** The symbols of a link that are there. */
export function symbolsOf({ symbol, beside = [] }: LocatedSymbol): CodeSymbol[] {
  return symbol ? [symbol, ...beside] : [];
}
