/**
 * Whether a path that is said to be relative to a project leads out of it, as it is written: no file is looked at.
 * Backslashes count as separators and drives as drives on every machine, because a store goes from one to another.
 */
export function leadsOut(path: string): boolean {
  const parts = path.replaceAll('\\', '/').split('/');
  // `/x`, `//server/share`, and nothing at all.
  if (parts[0] === '') return true;
  // `C:\x`, and `C:x`, which is relative to wherever that drive is.
  if (/^[A-Za-z]:/.test(path)) return true;
  return path.includes('\0') || parts.includes('..');
}
