import { type ConsolidateOptions, type ConsolidationReport, consolidate } from '../memory/consolidation/consolidate';
import type { Project } from './open';

export type { ConsolidationReport };

/** Does the waiting consolidation jobs of the project's store. */
export function consolidateProject(project: Project, options: ConsolidateOptions): Promise<ConsolidationReport> {
  return consolidate(project, options);
}
