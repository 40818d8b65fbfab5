/** What a window shows of a team's memory. */

/** How the memory of a team is reached. */
export interface TeamNote {
  /** `https://memory.example/shop` */
  readonly address: string;
  /** `silent`: it does not answer. `shut`: it does not let this person in. */
  readonly state: 'answers' | 'silent' | 'shut';
  /** When the copy was made that is read while it does not answer; null where there is none, or it answers. */
  readonly copy_at: string | null;
  /** How many memories wait here to be sent, and how many it did not take. */
  readonly waiting: number;
  readonly refused: number;
}
