/** Makes folders. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it that are missing. One by one: mkdir's own `recursive` never ends below some folders
 * of the system (/proc).
 * @param mode of those that are made
 * @throws Error of the system
 */
export function makeFolders(folder: string, mode?: number): void {
  for (const missing of missingFolders(folder)) {
    try {
      mkdirSync(missing, { mode });
    } catch (error) {
      // Another process that starts just now may have been faster.
      if (!existsSync(missing)) throw error;
    }
  }
}

/** Outermost first. */
function missingFolders(folder: string): string[] {
  if (existsSync(folder) || dirname(folder) === folder) return [];
  return [...missingFolders(dirname(folder)), folder];
}
