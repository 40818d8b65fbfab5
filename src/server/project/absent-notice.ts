/** What agents are told where the store of their folder is not there. Apart from what finds that out, which loads more. */

/** `shared`: the folder has none, but files of shared memories. */
export type AbsentStore = 'lost' | 'shared';

/** For agents, which would take it that nothing was ever remembered. */
export const ABSENT_NOTICES: Readonly<Record<AbsentStore, string>> = {
  lost: 'The store of this project is not there any more, but a backup of it is. Tell your user: "svc-memory restore-backup" brings it back.',
  shared:
    'This project has shared memories in .svc/memories, which are not read: it has no store yet. Tell your user: "svc-memory init" makes one that reads them.',
};
