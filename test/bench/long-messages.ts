import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, seededRandom } from '../support/random';
import type { QualitySet, SetMemory, SetQuestion } from './quality-sets';
import { ROOT } from './servers';

interface Service {
  readonly name: string;
  readonly language: 'ts' | 'py';
  readonly nouns: readonly string[];
  readonly tables: readonly string[];
}

interface Problem {
  readonly error: string;
  readonly symptom: string;
  readonly wrong: string;
  readonly cause: string;
  readonly fix: readonly string[];
  readonly outcome: string;
  readonly why: string;
  readonly detail: string;
}

interface Parts {
  readonly services: readonly Service[];
  readonly verbs: readonly string[];
  readonly problems: readonly Problem[];
  readonly asides: readonly string[];
}

const SEED = 7_919;
/** Each problem turns up in as many services, so that no question is answered by the problem alone. */
const SERVICES_OF_A_PROBLEM = 2;
const FIRST_DAY = Date.UTC(2025, 1, 3, 9);
const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

/**
 * Long messages about code: for each problem and service a thread of five, each of 150 to 500 words: a pasted error, a
 * wrong guess, a pasted file, the cause with a diff, and the outcome. Questions ask for the cause and for a figure of the
 * outcome, in other words than the messages. The same each time.
 */
export function longMessages(): QualitySet {
  const parts = JSON.parse(readFileSync(join(ROOT, 'test/bench/data/long-messages.json'), 'utf8')) as Parts;
  const random = seededRandom(SEED);
  const memories: SetMemory[] = [];
  const questions: SetQuestion[] = [];
  const threads = Array.from({ length: SERVICES_OF_A_PROBLEM }, (_, round) =>
    parts.problems.map((problem, i) => ({ problem, service: serviceAt(parts, i * 3 + round * 5) })),
  ).flat();
  for (const [place, { problem, service }] of threads.entries()) {
    const thread = new Thread(parts, service, random);
    const key = (i: number): string => `t${place}:${i}`;
    const day = FIRST_DAY + place * DAY_MS;
    memories.push(
      ...thread.messages(problem).map((content, i) => ({
        ...{ key: key(i), content, kind: 'fact', entities: [i % 2 === 0 ? 'developer' : 'assistant'] },
        valid_from: new Date(day + i * SECOND_MS).toISOString(),
      })),
    );
    questions.push(
      { text: thread.filled(problem.why), evidence: [[key(CAUSE)]], style: 'why' },
      { text: thread.filled(problem.detail), evidence: [[key(OUTCOME)]], style: 'detail' },
    );
  }
  return { name: 'long messages', stores: [{ memories, questions }] };
}

const CAUSE = 3;
const OUTCOME = 4;

function serviceAt({ services }: Parts, place: number): Service {
  const service = services[place % services.length];
  if (!service) throw new Error('there are no services');
  return service;
}

/** One conversation about one problem: what it names stays the same from message to message. */
class Thread {
  private readonly names: readonly string[];
  private readonly table: string;
  private readonly number: number;

  constructor(
    private readonly parts: Parts,
    private readonly service: Service,
    private readonly random: Random,
  ) {
    this.names = Array.from({ length: 6 }, () => this.name());
    this.table = random.of(service.tables);
    this.number = 3 + random.below(60);
  }

  messages(problem: Problem): string[] {
    const { service } = this;
    const said = (text: string): string => this.filled(text);
    return [
      [
        `I need help with ${service.name}: ${said(problem.symptom)}.`,
        ...[this.aside(), this.aside(), 'This is the output:'],
        ['```', ...this.log(said(problem.error)), ...this.trace(), '```'].join('\n'),
        ...[this.aside(), this.aside(), 'What should I look at first?'],
      ].join('\n\n'),
      [
        `My first guess is that ${said(problem.wrong)}. I would check that before anything else in ${service.name}.`,
        this.aside(),
        ...[1, 2, 3, 4].map((step) => `${step}. ${this.aside()}`),
        `If that is not it, please paste ${this.file(0)} and the place where ${this.name0(1)} is called; I want to see what`,
        `happens between ${this.name0(2)} and ${this.name0(3)}. ${this.aside()}`,
      ].join('\n\n'),
      [
        `It is not that. ${this.aside()} Here is ${this.file(0)}:`,
        ['```', ...this.code(0), '', ...this.code(2), '```'].join('\n'),
        ...[this.aside(), 'And the caller:'],
        ['```', ...this.code(4), '```'].join('\n'),
        this.aside(),
      ].join('\n\n'),
      [
        `Now I see it: ${said(problem.cause)}.`,
        ...[this.aside(), 'I would change it like this:'],
        ['```diff', `--- a/${this.file(0)}`, `+++ b/${this.file(0)}`, ...problem.fix.map(said), '```'].join('\n'),
        ...[this.aside(), this.aside()],
        `The same pattern is in ${this.file(1)}, where ${this.name0(4)} calls ${this.name0(5)}. ${this.aside()}`,
        this.aside(),
      ].join('\n\n'),
      [
        `Done in ${service.name}. ${said(problem.outcome)}.`,
        ...[this.aside(), 'The log of the first hour after the change:'],
        ['```', ...this.log('info: nothing to report'), '```'].join('\n'),
        ...[this.aside(), this.aside(), `I left ${this.name0(5)} as it is.`],
      ].join('\n\n'),
    ];
  }

  filled(text: string): string {
    return text
      .replaceAll('{service}', this.service.name)
      .replaceAll('{fn}', this.name0(0))
      .replaceAll('{table}', this.table)
      .replaceAll('{n}', String(this.number));
  }

  private name0(place: number): string {
    return this.names[place] ?? '';
  }

  /** A function's name in the style of the language. */
  private name(): string {
    const { language, nouns } = this.service;
    const [verb, noun] = [this.random.of(this.parts.verbs), this.random.of(nouns)];
    const more = this.random.of(['', 'Batch', 'Page', 'Entry', 'Group']);
    return language === 'ts' ? `${verb}${noun}${more}` : `${verb}_${`${noun}${more && `_${more}`}`.toLowerCase()}`;
  }

  private file(place: number): string {
    const { name, language, nouns } = this.service;
    return `src/${name}/${(nouns[place] ?? '').toLowerCase()}.${language}`;
  }

  private aside(): string {
    return Array.from({ length: 1 + this.random.below(3) }, () => this.random.of(this.parts.asides)).join(' ');
  }

  private log(last: string): string[] {
    const lines = Array.from({ length: 4 + this.random.below(8) }, () => {
      const [minute, id] = [10 + this.random.below(50), 1_000 + this.random.below(9_000)];
      return `09:${minute}:0${this.random.below(10)} ${this.service.name}[${id}] ${this.random.of(this.names)} ok in ${this.random.below(200)} ms`;
    });
    return [...lines, last];
  }

  private trace(): string[] {
    return Array.from({ length: 6 + this.random.below(8) }, (_, i) => {
      const [line, file] = [10 + this.random.below(400), this.file(this.random.below(4))];
      const name = this.names[i % this.names.length];
      return this.service.language === 'ts'
        ? `    at ${name} (${file}:${line}:${this.random.below(60)})`
        : `  File "${file}", line ${line}, in ${name}`;
    });
  }

  private code(place: number): string[] {
    const [name, inner] = [this.name0(place), this.name0(place + 1)];
    const fields = Array.from({ length: 3 + this.random.below(5) }, () => this.random.of(this.parts.verbs));
    return this.service.language === 'ts'
      ? [
          `export async function ${name}(input: Input): Promise<Result> {`,
          ...fields.map((field) => `  const ${field}d = await this.${field}(input.${this.table}, options);`),
          `  return ${inner}(input, options);`,
          '}',
        ]
      : [
          `def ${name}(request, connection):`,
          ...fields.map(
            (field) => `    ${field}d = connection.${field}(request.${this.table}, timeout=${this.number})`,
          ),
          `    return ${inner}(request, connection)`,
        ];
  }
}
