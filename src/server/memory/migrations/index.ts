/** All migrations of the store, in their order. */
import type { Migration } from '../../db/migrate';
import { memories } from './0001-memories';
import { codeAnchors } from './0002-code-anchors';
import { history } from './0003-history';
import { undoes } from './0004-undoes';
import { leases } from './0005-leases';
import { links } from './0006-links';
import { origin } from './0007-origin';
import { saidKeys } from './0008-said';
import { team } from './0009-team';

/** In order; a released one is never changed. */
export const MEMORY_MIGRATIONS: readonly Migration[] = [
  memories,
  codeAnchors,
  history,
  undoes,
  leases,
  links,
  origin,
  saidKeys,
  team,
];
