/** A team's server refuses its copy, or to tell of changes. */
export class NotGiven extends Error {
  /** @param what is not given */
  constructor(
    readonly status: number,
    what: string,
  ) {
    super(`The team's server gives no ${what} (status ${status})`);
  }
}
