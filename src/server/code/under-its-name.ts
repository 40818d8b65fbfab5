/** Tells which symbol of a file has the name of a link. */
import { acceptedTexts, accepts } from '../memory/code/accepted-texts';
import type { CodeSymbol, SymbolPlace, TouchKey } from '../memory/code/touches';
import { FILE_TYPE } from './working-files';

/** Those of the symbols of a file that are called so: inside of it, or the file itself, whatever it is called now. */
export function namedAs<One extends CodeSymbol>(
  symbols: readonly One[],
  { code_type, name }: Pick<SymbolPlace, 'code_type' | 'name'>,
): One[] {
  const isFile = code_type === FILE_TYPE;
  return symbols.filter((one) => (one.code_type === FILE_TYPE) === isFile && (isFile || one.name === name));
}

/** Of those with its name, one that is as it was, else one of its type. */
export function underItsName<One extends CodeSymbol>(symbols: readonly One[], key: TouchKey): One | undefined {
  const named = namedAs(symbols, key);
  const accepted = acceptedTexts(key);
  return (
    named.find((one) => accepts(accepted, one)) ??
    named.find(({ code_type }) => code_type === key.code_type) ??
    named[0]
  );
}
