/** What a team's server answers to who asks for a copy, or to listen. */
export class NotGiven extends Error {
  /** @param what is not given */
  constructor(
    readonly status: number,
    what: string,
  ) {
    super(`The team's server gives no ${what} (status ${status})`);
  }
}
