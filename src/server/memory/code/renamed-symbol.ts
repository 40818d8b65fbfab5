/** Types of what is asked about symbols that had other names, and of what is answered. */

/** A name, without what it stood in, and the texts of what was called so. */
export interface FormerName {
  readonly code_type: string;
  readonly name: string;
  readonly hashes: readonly string[];
}

/** A symbol that had other names, by their numbers. */
export interface RenamedSymbol {
  readonly code_type: string;
  readonly name: string;
  readonly start_line: number;
  readonly former: readonly number[];
}

/**
 * @returns those of the symbols of a text that had one of the names with one of its texts, and of which nothing else has
 * changed, where other things in them have their old name or their new one; undefined where that takes too long
 */
export type FindRenamed = (
  path: string,
  text: string,
  former: readonly FormerName[],
) => Promise<readonly RenamedSymbol[] | undefined>;
