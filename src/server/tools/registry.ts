import type { Tool } from './define-tool';
import { memoryRecall } from './memory-recall';
import { memoryStore } from './memory-store';

/** Every tool of the memory server, in the order of the specification. The only door to the domain. */
export const MEMORY_TOOLS: readonly Tool[] = [memoryStore, memoryRecall];
