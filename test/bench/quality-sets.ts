import { join } from 'node:path';
import { longMessages } from './long-messages';
import { ROOT } from './servers';
import { each, message, readSet, SHARED, sharedSets } from './shared-sets';

/** One object of a `memory_import`. `key` is the set's own name for it; sessions have none. */
export interface SetMemory {
  readonly key?: string;
  readonly content: string;
  readonly kind: string;
  readonly id?: string;
  readonly entities?: readonly string[];
  readonly valid_from?: string;
  readonly session_id?: string;
  readonly rationale?: string;
  readonly alternatives_rejected?: readonly string[];
}

export interface SetQuestion {
  readonly text: string;
  /** What has to come back, each of it as one of these memories, by their keys. */
  readonly evidence: readonly (readonly string[])[];
  /** Memories that evidence has replaced: they should not come before it. */
  readonly outdated?: readonly string[];
  /** The time as of which it is asked. */
  readonly as_of?: string;
  /** What difficulty the question stands for. */
  readonly style: string;
  /** The answer in words, where the set has it. */
  readonly answer?: string;
}

/** Memories that lie in one store, and what is asked of it. */
export interface SetStore {
  readonly memories: readonly SetMemory[];
  readonly questions: readonly SetQuestion[];
}

export interface QualitySet {
  readonly name: string;
  readonly stores: readonly SetStore[];
}

const OWN = join(ROOT, 'test/bench/data');

/** The project's own sets, and those of others that lie beside it. */
export function qualitySets(shared = SHARED): QualitySet[] {
  return [...ownSets(), ...sharedSets(shared)];
}

function ownSets(): QualitySet[] {
  return [developerMemories(), dialogues(), longMessages()];
}

interface DeveloperMemories {
  readonly memories: readonly (SetMemory & { readonly session: string })[];
  readonly questions: readonly { readonly q: string; readonly answers: readonly string[]; readonly style: string }[];
}

function developerMemories(): QualitySet {
  const { memories, questions } = readSet<DeveloperMemories>(OWN, 'developer-memories.json');
  const sessions = [...new Set(memories.map(({ session }) => session))];
  return {
    name: 'developer memories',
    stores: [
      {
        memories: [
          ...sessions.map((session) => ({ id: `s_${session}`, kind: 'session', content: session })),
          ...memories.map(({ session, ...memory }) => ({ ...memory, session_id: `s_${session}` })),
        ],
        questions: questions.map(({ q, answers, style }) => ({ text: q, evidence: each(answers), style })),
      },
    ],
  };
}

interface Dialogues {
  readonly dialogues: readonly {
    readonly sessions: readonly {
      readonly date: string;
      readonly turns: readonly { readonly id: string; readonly speaker: string; readonly text: string }[];
    }[];
    readonly questions: readonly { readonly q: string; readonly evidence: readonly string[]; readonly style: string }[];
  }[];
}

function dialogues(): QualitySet {
  const set = readSet<Dialogues>(OWN, 'dialogues.json');
  return {
    name: 'own dialogues',
    stores: set.dialogues.map(({ sessions, questions }) => ({
      memories: sessions.flatMap(({ date, turns }) =>
        turns.map(({ id, speaker, text }, i) => message(id, text, speaker, date, i)),
      ),
      questions: questions.map(({ q, evidence, style }) => ({ text: q, evidence: each(evidence), style })),
    })),
  };
}
