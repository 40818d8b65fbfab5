// Removes what a test made, though a program that it started may still be ending.
import { rm } from 'node:fs/promises';

/** Tries again for some seconds while something is written into the folder. No error where it is not there. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
