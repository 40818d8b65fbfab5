/** What memory_about gives out, and how it is printed. */

import { nothingFound } from '../base/nothing-found';
import { quoted } from '../base/text';
import { type PackedMemories, printMemories } from './packed-memories';
import type { TokenCounter } from './tokens';

/** What is known about an entity, within a budget of tokens. */
export type AboutEntity = (PackedMemories & { readonly entity: string }) | UnknownEntity;

interface UnknownEntity {
  readonly entity: null;
  /** Names like the one asked for. */
  readonly nearest: readonly string[];
  /** The sentence that says so, as long as the budget allows. */
  readonly note: string;
}

export function unknownEntity(
  tokens: TokenCounter,
  asked: string,
  nearest: readonly string[],
  budget: number,
): UnknownEntity {
  const full = nothingFound(`There is no entity ${quoted(asked)}`, nearest);
  return { entity: null, nearest, note: tokens.fits(full, budget) ? full : 'There is no such entity.' };
}

export function printAbout(about: AboutEntity): string {
  return about.entity === null ? about.note : printMemories(about);
}
