/** Text inside a Markdown page that must not become a heading, begin code that nothing ends, or look like a conflict of Git. */
import { linesOfCode } from '../markdown';

const MARKED = /^( {0,3})(\\*)(#|```|~~~|<{7}(?= ))/;

/** The text with a backslash before such lines; `readEscaped` gives it back. */
export function escapeLines(text: string): string {
  return outsideCode(text, (line) => line.replace(MARKED, '$1\\$2$3'));
}

export function readEscaped(text: string): string {
  return outsideCode(text, (line) => line.replace(/^( {0,3})\\(\\*(?:#|```|~~~|<{7}(?= )))/, '$1$2'));
}

function outsideCode(text: string, change: (line: string) => string): string {
  const lines = text.split('\n');
  const code = linesOfCode(lines);
  return lines.map((line, i) => (code.has(i) ? line : change(line))).join('\n');
}
