/** Asks a client for the folders that it has open. */
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

/** A client that does not answer must not hold up the first tool call for longer. */
const PATIENCE_MS = 1_000;

/** The folders that the client has open; none when it does not tell, or does not tell in time. */
export async function clientRoots(server: Server, signal: AbortSignal): Promise<readonly string[]> {
  if (!server.getClientCapabilities()?.roots) return [];
  try {
    const { roots } = await server.listRoots(undefined, { timeout: PATIENCE_MS, signal });
    return roots.flatMap((root) => folderOf(root.uri));
  } catch {
    // Roots are a hint. Without them the working directory tells where to look.
    return [];
  }
}

function folderOf(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}
