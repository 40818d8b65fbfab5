/** A line for the people who run the process. Goes to standard error; standard output belongs to the protocol. */
export type Log = (message: string) => void;

export const silent: Log = () => {};
