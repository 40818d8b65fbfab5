/** Gives the file of a memory the reasons that it lacks, and leaves everything else as people wrote it. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { CHOSEN, OUTCOME } from '../bring/adr/adr';
import { becauseOf, optionsSection } from '../bring/adr/write-adr';
import { readMemory } from './read-memory';
import { REJECTED, type SharedMemory } from './shared-memory';
import { rejectedSection, whySection } from './write-memory';

/** What of a memory says why. */
export type Reasons = Pick<SharedMemory, 'rationale' | 'alternatives_rejected'>;

/**
 * Adds what the file lacks of these, as far as its form has a place for them: where people recorded a decision in their own way,
 * a reason may have none. What else is read from it is the same after each edit.
 * @param text of a file that is understood, with `\n` at the ends of lines
 */
export function addReasons(text: string, { rationale, alternatives_rejected }: Reasons): string {
  const why = added(text, (said) =>
    rationale === undefined || said.rationale !== undefined
      ? undefined
      : { meant: { ...said, rationale }, edits: [becauseIn(text, rationale), whyIn(text, rationale)] },
  );
  return added(why, (said) =>
    alternatives_rejected.length === 0 || said.alternatives_rejected.length > 0
      ? undefined
      : {
          meant: { ...said, alternatives_rejected },
          edits: [optionsIn(why, alternatives_rejected), section(why, rejectedSection(alternatives_rejected))],
        },
  );
}

interface Addition {
  /** What the file is to be read as. */
  readonly meant: SharedMemory;
  readonly edits: readonly string[];
}

/** By the first edit that is read as what is meant; a decision has another form than a note. */
function added(text: string, additionTo: (said: SharedMemory) => Addition | undefined): string {
  const read = readMemory(text);
  const addition = 'memory' in read ? additionTo(read.memory) : undefined;
  const isMeant = (edited: string): boolean => {
    const now = readMemory(edited);
    return 'memory' in now && isDeepStrictEqual(now.memory, addition?.meant);
  };
  return addition?.edits.find(isMeant) ?? text;
}

const CHOICE = new RegExp(`^${CHOSEN} "(.+)"[ \\t]*$`, 'm');

const CHOSEN_AND_WHY = new RegExp(`^${CHOSEN} "(.+?)"(?:, because\\b.*|[ \\t]*)$`, 'm');
const TITLE = /^# (.+)$/m;

function becauseIn(text: string, rationale: string): string {
  return text.replace(CHOICE, (line) => line.trimEnd() + becauseOf(rationale));
}

function whyIn(text: string, rationale: string): string {
  return section(text, whySection(rationale), new RegExp(`^## ${REJECTED}[ \\t]*$`, 'm'));
}

/** Behind the one that was chosen. */
function optionsIn(text: string, rejected: readonly string[]): string {
  // Its reason may follow by now. Where none is named, the title says what was decided.
  const [, chosen] = CHOSEN_AND_WHY.exec(text) ?? TITLE.exec(text) ?? [];
  const options = chosen === undefined ? rejected : [chosen, ...rejected];
  return section(text, optionsSection(options), new RegExp(`^## ${OUTCOME}[ \\t]*$`, 'm'));
}

/** @param before heading of what it stands before, where there is one */
function section(text: string, lines: string, before?: RegExp): string {
  const at = before ? text.search(before) : -1;
  return at < 0 ? `${text.trimEnd()}\n\n${lines}\n` : `${text.slice(0, at)}${lines}\n\n${text.slice(at)}`;
}
