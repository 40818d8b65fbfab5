/** Keeps the editor from drawing icons out of stored text. */

/**
 * For lenses, quick picks and the status bar, where `$(name)` draws an icon: the editor prints an escaped one as it stands.
 * @param line of text, as it is seen: base/text
 */
export function escapeIcons(line: string): string {
  return line.replace(/\\?\$\(([A-Za-z0-9-]+(?:~[A-Za-z0-9-]+)?)\)/g, '\\$($1)');
}
