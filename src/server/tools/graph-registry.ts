/** The tools of the companion server. */
import type { Tool } from './define-tool';
import { graphStatus } from './graph-status';
import { listEntities } from './list-entities';
import { queryCodebase } from './query-codebase';

/** Every tool of the companion server `svc-mcp`. */
export const GRAPH_TOOLS: readonly Tool[] = [queryCodebase, graphStatus, listEntities];
