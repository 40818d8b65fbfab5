/** All migrations of the code graph, in order. */
import type { Migration } from '../../db/migrate';
import { graph } from './0001-graph';
import { since } from './0002-since';
import { bindings } from './0003-bindings';
import { qualifiers } from './0004-qualifiers';
import { leftOut } from './0005-left-out';
import { leftOutDocuments } from './0006-left-out-documents';
import { places } from './0007-places';
import { texts } from './0008-texts';

export const GRAPH_MIGRATIONS: readonly Migration[] = [
  graph,
  since,
  bindings,
  qualifiers,
  leftOut,
  leftOutDocuments,
  places,
  texts,
];
