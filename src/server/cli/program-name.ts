/** The name of the memory's command line. */

export const PROGRAM = 'svc-memory';
