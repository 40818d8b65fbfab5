import type { Migration } from '../../db/migrate';
import { graph } from './0001-graph';
import { since } from './0002-since';
import { bindings } from './0003-bindings';
import { qualifiers } from './0004-qualifiers';

export const GRAPH_MIGRATIONS: readonly Migration[] = [graph, since, bindings, qualifiers];
