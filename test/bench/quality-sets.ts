import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './servers';

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

/** The project's own sets, and those of the neighbouring folder where they are there. */
export function qualitySets(): QualitySet[] {
  const foreign = join(ROOT, '../shared/data');
  return [
    developerMemories(),
    dialogues(),
    ...(existsSync(foreign) ? [developerChats(foreign), beliefs(foreign)] : []),
  ];
}

interface DeveloperMemories {
  readonly memories: readonly (SetMemory & { readonly session: string })[];
  readonly questions: readonly { readonly q: string; readonly answers: readonly string[]; readonly style: string }[];
}

function developerMemories(): QualitySet {
  const { memories, questions } = readSet<DeveloperMemories>(ROOT, 'test/bench/data/developer-memories.json');
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
  const set = readSet<Dialogues>(ROOT, 'test/bench/data/dialogues.json');
  return {
    name: 'dialogues',
    stores: set.dialogues.map(({ sessions, questions }) => ({
      memories: sessions.flatMap(({ date, turns }) =>
        turns.map(({ id, speaker, text }, i) => message(id, text, speaker, date, i)),
      ),
      questions: questions.map(({ q, evidence, style }) => ({ text: q, evidence: each(evidence), style })),
    })),
  };
}

interface ChatSession {
  readonly sessionId: string;
  readonly metadata: { readonly date: string };
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

interface ChatQuestion {
  readonly question: string;
  readonly questionType: string;
  readonly groundTruth: string;
  readonly haystackSessionIds: readonly string[];
}

function developerChats(folder: string): QualitySet {
  const sessions = readSet<ChatSession[]>(folder, 'devmem-sessions.json');
  const questions = readSet<ChatQuestion[]>(folder, 'devmem-questions.json');
  const keys = new Map(
    sessions.map(({ sessionId, messages }) => [sessionId, messages.map((_, i) => `${sessionId}:${i}`)]),
  );
  return {
    name: 'devmem',
    stores: [
      {
        memories: sessions.flatMap(({ sessionId, metadata, messages }) =>
          messages.map(({ role, content }, i) => message(`${sessionId}:${i}`, content, role, metadata.date, i)),
        ),
        questions: questions
          .filter(({ haystackSessionIds }) => haystackSessionIds.length > 0)
          .map(({ question, questionType, groundTruth, haystackSessionIds }) => ({
            text: question,
            // Several sessions are several pieces of evidence; of each, any message will do.
            evidence: haystackSessionIds.map((session) => keys.get(session) ?? []),
            style: questionType,
            answer: groundTruth,
          })),
      },
    ],
  };
}

interface Belief {
  readonly _id: string;
  readonly content: string;
  readonly aliases: readonly string[];
  readonly created_at: string;
  readonly epistemic_status: string;
}

interface BeliefCase {
  readonly query: string;
  readonly category: string;
  readonly expect: { readonly relevantBeliefs?: { readonly shouldOnlyInclude?: readonly string[] } };
}

function beliefs(folder: string): QualitySet {
  const notes = readSet<Belief[]>(folder, 'pmb-beliefs.json').filter((note) => note.epistemic_status === 'active');
  const cases = readSet<BeliefCase[]>(folder, 'pmb-cases.json');
  return {
    name: 'beliefs',
    stores: [
      {
        memories: notes.map(({ _id, content, aliases, created_at }) => ({
          key: _id,
          content,
          kind: 'fact',
          entities: aliases,
          valid_from: created_at,
        })),
        questions: cases.flatMap(({ query, category, expect }) => {
          const evidence = each(expect.relevantBeliefs?.shouldOnlyInclude ?? []);
          return evidence.length > 0 ? [{ text: query, evidence, style: category }] : [];
        }),
      },
    ],
  };
}

/** Every one of these memories is wanted. */
function each(keys: readonly string[]): string[][] {
  return keys.map((key) => [key]);
}

/** Messages of a session have only its date: each follows the one before by a second. */
function message(key: string, content: string, speaker: string, date: string, place: number): SetMemory {
  const valid_from = new Date(Date.parse(date) + place * 1_000).toISOString();
  return { key, content, kind: 'fact', entities: [speaker], valid_from };
}

/** The files are part of the measurement: a wrong shape fails at its first use. */
function readSet<Shape>(folder: string, file: string): Shape {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Shape;
}
