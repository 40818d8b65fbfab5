import type { Tool } from './define-tool';
import { graphStatus } from './graph-status';
import { listEntities } from './list-entities';
import { queryCodebase } from './query-codebase';

/** Every tool of the companion server `svc-mcp` (decisions.md). */
export const GRAPH_TOOLS: readonly Tool[] = [queryCodebase, graphStatus, listEntities];
