/** A memory that stands in a file of the repository. */
import type { MemoryKind } from '../../kinds/kinds';
import type { PlacedTouch } from '../memory/code/touches';
import type { Origin, Standing } from '../memory/origins';

/** Below the root of a working tree. */
export const SHARED_FOLDER = '.svc/memories';

/** What a file says. */
export interface SharedMemory {
  /** Undefined where people wrote the file and gave none. */
  readonly id: string | undefined;
  readonly kind: MemoryKind;
  readonly content: string;
  readonly rationale: string | undefined;
  readonly alternatives_rejected: readonly string[];
  readonly confidence: number;
  /** Undefined where the file has no date. */
  readonly valid_from: string | undefined;
  readonly valid_until: string | undefined;
  /** Where it is another time than `valid_from`. */
  readonly recorded_at: string | undefined;
  readonly standing: Exclude<Standing, 'proposed'>;
  /** Names. */
  readonly about: readonly string[];
  readonly links: readonly PlacedTouch[];
  /** Ids, or names of files. */
  readonly supersedes: readonly string[];
  /** The same, where a record of a decision says so of itself. */
  readonly superseded_by: readonly string[];
  /** Ids of memories that it replaces the same one as, or is like, and is to be kept beside. */
  readonly beside: readonly string[];
  readonly origin: Pick<Origin, 'kind' | 'name'> | undefined;
}

/** Why nothing is known from a file. */
export interface FileProblem {
  /** Counted from 1. */
  readonly line: number;
  /** A sentence without its end. */
  readonly reason: string;
}

/** The fields at the top of a file. `about`, `confidence`, `valid-from` and `valid-until` are those of `bring/adr`. */
export const FIELDS = {
  id: 'id',
  kind: 'kind',
  status: 'status',
  date: 'date',
  about: 'about',
  confidence: 'confidence',
  from: 'valid-from',
  until: 'valid-until',
  recorded: 'recorded',
  confirmed: 'confirmed',
  links: 'links',
  supersedes: 'supersedes',
  beside: 'beside',
  origin: 'origin',
} as const;

/** Headings in the file of a memory that is no decision. */
export const WHY = 'Why';
export const REJECTED = 'Rejected';
