import type { Migration } from '../../db/migrate';
import { memories } from './0001-memories';

/** In order; a released one is never changed. */
export const MEMORY_MIGRATIONS: readonly Migration[] = [memories];
