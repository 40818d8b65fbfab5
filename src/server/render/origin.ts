/** Names where a memory comes from. */
import { shownWord } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { Origin } from '../memory/origins';

const MAX_NAME = 60;

/** `agent claude-code`, `a person (cli)`, `import notes.json`; what is not known says so. */
export function originName(origin: Origin | null): string {
  if (!origin) return 'an unknown source';
  const name = cut(oneLine(origin.name), MAX_NAME);
  const marked = origin.marked ? ' after foreign text' : '';
  if (origin.kind === 'person') return name === '' ? 'a person' : `a person (${name})`;
  return `${shownWord(origin.kind)}${name === '' ? ' (unknown)' : ` ${name}`}${marked}`;
}
