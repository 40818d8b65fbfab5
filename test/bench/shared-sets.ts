import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QualitySet, SetMemory } from './quality-sets';
import { ROOT } from './servers';

/** Sets of others are measured where they lie, beside the project; no line of them is in it. */
export const SHARED = join(ROOT, '../shared/data');

const SETS: Readonly<Record<string, (folder: string, file: string) => QualitySet>> = {
  'devmem-sessions.json': developerChats,
  'pmb-beliefs.json': beliefs,
  'sets/dialogues.json': inOneForm,
  'sets/conventions.json': inOneForm,
  'sets/commits.json': inOneForm,
};

/** Those that are there. */
export function sharedSets(folder: string): QualitySet[] {
  return Object.entries(SETS).flatMap(([file, read]) => (existsSync(join(folder, file)) ? [read(folder, file)] : []));
}

/** Files of sets that are not there. */
export function missingSets(folder: string): string[] {
  return Object.keys(SETS).filter((file) => !existsSync(join(folder, file)));
}

interface SetFile {
  readonly name: string;
  readonly stores: readonly {
    readonly nodes: readonly (SetMemory & { readonly key: string })[];
    readonly questions: readonly {
      readonly q: string;
      readonly category: string;
      readonly answer?: string;
      readonly evidence: readonly (readonly string[])[];
      readonly outdated?: readonly string[];
      readonly as_of?: string;
    }[];
  }[];
}

function inOneForm(folder: string, file: string): QualitySet {
  const { name, stores } = readSet<SetFile>(folder, file);
  return {
    name,
    stores: stores.map(({ nodes, questions }) => ({
      memories: nodes,
      questions: questions.map(({ q, category, ...more }) => ({ text: q, style: category, ...more })),
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

function developerChats(folder: string, file: string): QualitySet {
  const sessions = readSet<ChatSession[]>(folder, file);
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

function beliefs(folder: string, file: string): QualitySet {
  const notes = readSet<Belief[]>(folder, file).filter((note) => note.epistemic_status === 'active');
  const cases = readSet<BeliefCase[]>(folder, 'pmb-cases.json');
  return {
    name: 'beliefs',
    stores: [
      {
        memories: notes.map(({ _id, content, aliases, created_at }) => ({
          ...{ key: _id, content, kind: 'fact', entities: aliases },
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
export function each(keys: readonly string[]): string[][] {
  return keys.map((key) => [key]);
}

/** Messages of a session have only its date: each follows the one before by a second. */
export function message(key: string, content: string, speaker: string, date: string, place: number): SetMemory {
  const valid_from = new Date(Date.parse(date) + place * 1_000).toISOString();
  return { key, content, kind: 'fact', entities: [speaker], valid_from };
}

/** The files are part of the measurement: a wrong shape fails at its first use. */
export function readSet<Shape>(folder: string, file: string): Shape {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Shape;
}
