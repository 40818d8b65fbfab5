/** Whether a process of this machine still runs. */
export type IsAlive = (pid: number) => boolean;

/** Asks this machine; a living process of another user counts. */
export const processIsAlive: IsAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};
