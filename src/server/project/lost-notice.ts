/** What agents are told of a store that was lost. Apart from what finds that out, which loads more. */

/** For agents, which would take it that nothing was ever remembered. */
export const LOST_NOTICE =
  'The store of this project is not there any more, but a backup of it is. Tell your user: "svc-memory restore-backup" brings it back.';
