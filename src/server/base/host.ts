/** The name of this machine. */
import { hostname } from 'node:os';

/** Asked for once: each write records it, and the system takes as long for it as for a small query. */
export const HOST = hostname();
