/** Says in words which names with a path mean no code. */
import { nothingFound } from '../base/nothing-found';
import { quoted } from '../base/text';
import type { Unresolved } from '../memory/code/touches';

/** A sentence for each, with what comes nearest. */
export function unresolvedInWords(unresolved: readonly Unresolved[] | undefined): string[] {
  return (unresolved ?? []).map(({ name, nearest }) => nothingFound(`${quoted(name)} means no code`, nearest));
}
