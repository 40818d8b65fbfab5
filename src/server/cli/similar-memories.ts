/** Says in words what a memory that was stored is like. */
import { shownId } from '../base/shown';
import type { Relation, Similar } from '../memory/similar/similar';

const WORDS: Readonly<Record<Exclude<Relation, 'near'>, (id: string) => string>> = {
  same: (id) => `It was there already, as ${id}: nothing new was stored.`,
  'supersedes?': (id) =>
    `${id} chose what this decision rejects, or rejected what it chooses: supersedes? If so, undo this and store it with --supersedes ${id}.`,
};

/** A sentence for each that `memory_store` found, and one for all that are merely near. */
export function similarInWords(similar: readonly Similar[] = []): string[] {
  const near = similar.flatMap(({ node_id, relation }) => (relation === 'near' ? [shownId(node_id)] : []));
  return [
    ...similar.flatMap(({ node_id, relation }) => (relation === 'near' ? [] : [WORDS[relation](shownId(node_id))])),
    ...(near.length === 0 ? [] : [nearInWords(near)]),
  ];
}

function nearInWords(ids: readonly string[]): string {
  const [first = '', ...others] = ids;
  const last = others.pop();
  if (last === undefined)
    return `${first} says something like it. If it holds no longer, refute it; or undo this and store it with --supersedes ${first}.`;
  return `${[first, ...others].join(', ')} and ${last} say something like it. If one holds no longer, refute it; or undo this and store it with --supersedes and its id.`;
}
