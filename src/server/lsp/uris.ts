/** Paths and URIs of files. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Uri } from '../../protocol/requests';

/** The absolute path of a `file:` URI; undefined for documents that are no files. */
export function pathOf(uri: Uri): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

export function uriOf(path: string): Uri {
  return pathToFileURL(path).href;
}
