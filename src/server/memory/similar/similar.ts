/** How a memory that is stored stands to one that is there. */

/**
 * `same` says the same: nothing new was stored. `near` says something else in the same words. `supersedes?`: a decision that
 * chose what the new one rejects, or rejected what it chooses.
 */
export const RELATIONS = ['same', 'near', 'supersedes?'] as const;
export type Relation = (typeof RELATIONS)[number];

/** An open memory that is like the one that was stored. */
export interface Similar {
  readonly node_id: string;
  readonly relation: Relation;
}
