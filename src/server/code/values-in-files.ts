/** Finds constants and variables by their names: many words of many texts are looked up. */
import { isValueKind } from '../graph/parsed';
import type { CodeSymbol } from '../memory/code/touches';
import { lastOf } from './find-moved';
import type { WorkingFile } from './working-files';

/** The values of a file that have this name, else those whose last part it is where that means one alone. */
export type ValuesIn = (file: string, name: string) => readonly CodeSymbol[];

export function valuesIn(files: ReadonlyMap<string, WorkingFile>): ValuesIn {
  const known = new Map<string, ReadonlyMap<string, CodeSymbol[]>>();
  return (file, name) => {
    const values = known.get(file) ?? byLastPart(files.get(file)?.symbols ?? []);
    known.set(file, values);
    const all = values.get(name) ?? [];
    const exact = all.filter((one) => one.name === name);
    if (exact.length > 0) return exact;
    return all.every((one) => one.name === all[0]?.name) ? all : [];
  };
}

function byLastPart(symbols: readonly CodeSymbol[]): ReadonlyMap<string, CodeSymbol[]> {
  const values = new Map<string, CodeSymbol[]>();
  for (const one of symbols) {
    if (!isValueKind(one.code_type)) continue;
    const last = lastOf(one.name);
    const alike = values.get(last);
    if (alike) alike.push(one);
    else values.set(last, [one]);
  }
  return values;
}
