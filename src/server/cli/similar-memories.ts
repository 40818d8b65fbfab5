/** Says in words what a memory that was stored is like. */
import { shownId } from '../base/shown';
import type { Relation, Similar } from '../memory/similar/similar';

const WORDS: Readonly<Record<Relation, (id: string) => string>> = {
  same: (id) => `It was there already, as ${id}: nothing new was stored.`,
  near: (id) =>
    `${id} says something like it. If it holds no longer, refute it; or undo this and store it with --supersedes ${id}.`,
  'supersedes?': (id) =>
    `${id} chose what this decision rejects, or rejected what it chooses: supersedes? If so, undo this and store it with --supersedes ${id}.`,
};

/** A sentence for each that `memory_store` found. */
export function similarInWords(similar: readonly Similar[] | undefined): string[] {
  return (similar ?? []).map(({ node_id, relation }) => WORDS[relation](shownId(node_id)));
}
