/** A record of an architecture decision, apart from the file that it stands in. */
export interface Adr {
  /** The decision, in as few words as the record allows. */
  readonly content: string;
  readonly rationale: string | undefined;
  readonly alternatives_rejected: readonly string[];
  readonly status: AdrStatus;
  /** As it is stored; undefined where the record has none. */
  readonly valid_from: string | undefined;
  /** Files or numbers of records that this one takes the place of, as they are written. */
  readonly supersedes: readonly string[];
  /** What follows stands only in records that we wrote, and in none that others wrote. */
  readonly id: string | undefined;
  readonly valid_until: string | undefined;
  readonly confidence: number | undefined;
  readonly about: readonly string[];
}

export type AdrStatus =
  | { readonly is: 'accepted' | 'rejected' | 'deprecated' | 'undecided' }
  /** `by`: files or numbers of records, as they are written. */
  | { readonly is: 'superseded'; readonly by: readonly string[] };

/** The fields at the top of a record of ours that MADR does not know. */
export const OWN_FIELDS = {
  id: 'id',
  about: 'about',
  confidence: 'confidence',
  from: 'valid-from',
  until: 'valid-until',
} as const;

/** Holds the whole text of a decision that is no title. */
export const DETAILS = 'Details';
export const CHOSEN = 'Chosen option:';
/** The heading above that. */
export const OUTCOME = 'Decision Outcome';
