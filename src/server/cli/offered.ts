/** The values that options and arguments offer, for the completion of shells. */
import type { Argument, Option } from 'commander';

/** Beside commander, whose own check of choices knows no "Did you mean". */
const offered = new WeakMap<Option | Argument, readonly string[]>();

export function offering<One extends Option | Argument>(one: One, choices: readonly string[] | undefined): One {
  if (choices) offered.set(one, choices);
  return one;
}

export function offeredBy(one: Option | Argument): readonly string[] {
  return offered.get(one) ?? one.argChoices ?? [];
}
