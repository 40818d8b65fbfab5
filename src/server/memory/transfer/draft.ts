/** What somebody else's notes say, before it is stored. */
import type { MemoryKind } from '../../../kinds/kinds';

/** A memory that a source says, before anybody has looked at it. */
export interface Draft {
  readonly kind: MemoryKind;
  readonly content: string;
  readonly rationale?: string | undefined;
  readonly alternatives_rejected?: readonly string[];
  readonly entities: readonly string[];
  readonly valid_from?: string | undefined;
  /** When it stopped being true, for what was given up and has nothing in its place. */
  readonly valid_until?: string | undefined;
  readonly confidence?: number | undefined;
  /** Names it within its source. Where it is an entity too, the same one with another text is its newer version. */
  readonly anchor?: string | undefined;
  /** Anchors of drafts of the same source that it takes the place of. */
  readonly supersedes?: readonly string[];
  /** The id that an export of ours wrote down. */
  readonly id?: string | undefined;
}
