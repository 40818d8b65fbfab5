import type { Migration } from '../../db/migrate';
import { graph } from './0001-graph';

export const GRAPH_MIGRATIONS: readonly Migration[] = [graph];
