// How the working day appears on a terminal: everything fits into 80 columns.
import colors from 'picocolors';

const WIDTH = 80;
const ANSWER_WIDTH = WIDTH - '  │ '.length;

export function heading(text: string): void {
  write(`\n${colors.bold(`── ${text} ${'─'.repeat(Math.max(0, WIDTH - text.length - 4))}`)}`);
}

export function paragraph(text: string): void {
  write(wrapped(text, WIDTH).join('\n'));
}

/** A call as it goes to the server: the tool, then its arguments. */
export function printCall(tool: string, input: Record<string, unknown>): void {
  write(`\n${colors.cyan('→')} ${colors.bold(tool)}`);
  for (const [name, value] of Object.entries(input)) {
    const label = `    ${name}: `;
    const [first = '', ...rest] = json(value, '    ', label.length).split('\n');
    const [start = '', ...more] = wrapped(first, WIDTH - label.length);
    write(`    ${colors.dim(`${name}:`)} ${start}`);
    for (const line of more) write(' '.repeat(label.length) + line);
    for (const line of rest) printIndented('', line);
  }
}

/** Markdown as it came; an object or a list as JSON, broken only where it does not fit into a line. */
export function printAnswer(text: string, failed: boolean): void {
  const bar = failed ? colors.red('│') : colors.green('│');
  for (const line of readable(text).split('\n')) printIndented(`  ${bar} `, line);
}

/** A line after its margin, broken so that what follows stands below its text. */
function printIndented(margin: string, line: string): void {
  const indent = /^\s*(?:- )?/.exec(line)?.[0].length ?? 0;
  const [first = '', ...rest] = wrapped(line.slice(indent), ANSWER_WIDTH - indent);
  write(`${margin}${line.slice(0, indent)}${first}`.trimEnd());
  for (const more of rest) write(`${margin}${' '.repeat(indent)}${more}`);
}

function readable(text: string): string {
  try {
    return json(JSON.parse(text), '', 0);
  } catch {
    return text; // Markdown
  }
}

/** @param column where its first line starts, when that is not at the indent */
function json(value: unknown, indent: string, column = indent.length): string {
  const line = JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, ' ');
  if (column + line.length <= ANSWER_WIDTH || typeof value !== 'object' || value === null) return line;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const entries = Array.isArray(value)
    ? value.map((entry) => json(entry, deeper))
    : Object.entries(value).map(([name, entry]) => {
        const label = `${JSON.stringify(name)}: `;
        return label + json(entry, deeper, deeper.length + label.length);
      });
  return `${open}\n${entries.map((entry) => deeper + entry).join(',\n')}\n${indent}${close}`;
}

/** Breaks between words, and inside a word only where it is longer than a line. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
    while (line.length > width) {
      lines.push(line.slice(0, width));
      line = line.slice(width);
    }
  }
  return [...lines, line];
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
