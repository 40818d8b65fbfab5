import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { languageOf } from '../../src/server/graph/language-of';
import { ALL_LANGUAGES } from '../../src/server/graph/languages';
import { SVC_FILE, withCodeProject } from '../support/code-project';
import { ANTHROPIC_KEY, byName, OPENAI_KEY, withFakeModels } from '../support/fake-models';
import { SEALED_SOURCES } from './sealed-sources';

/** In a body however it is written, in values of parameters, in what is on the line of a signature. */
const SOURCES = {
  'src/ledger.ts': `/** Keeps rows of the ledger. */
export class Ledger {
  private readonly token = 'PLANTED-FIELD';
  /** Adds a row of the ledger. */
  addRow(row: string, pass = 'PLANTED-DEFAULT') { return send(row, 'PLANTED-ONE-LINE'); }
  sumRows = (rows: number[]) => rows.map(() => 'PLANTED-ARROW');
}
/** Sends a row of the ledger. */
export function sendRow(row: string) {
  const password = 'PLANTED-BODY'; // PLANTED-COMMENT
  return \`\${row}PLANTED-TEMPLATE\`;
}
export const rowOf = memo((row: string) => { return 'PLANTED-WRAPPED'; });
export const closeRow = async function () { await send('PLANTED-EXPRESSION'); };
export const lastRow = (row = { key: 'PLANTED-OBJECT' }, other = compute('PLANTED-CALL')) => row;
function send(...all: string[]) { return all; }
function memo<T>(one: T) { return one; }
`,
  'src/ledger.py': `def add_row(row, password="PLANTED-PYTHON-DEFAULT"): return "PLANTED-PYTHON-LINE"
def sum_rows(rows):
    """Sums rows of the ledger."""
    secret = 'PLANTED-PYTHON-BODY'
    return secret
last_row = lambda row: "PLANTED-LAMBDA"
class Row: token = "PLANTED-CLASS"
`,
  'src/ledger.rb': `def open_row(row) "PLANTED-RUBY" end
def close_row = "PLANTED-ENDLESS"
`,
  'src/ledger.cpp':
    'Row::Row(int row) : key("PLANTED-INITIALISER") { use("PLANTED-CPP"); }\nint row(int a) { return f("PLANTED-C"); }\n',
  'src/Ledger.cs': 'class LedgerRow { string Row() => "PLANTED-EXPRESSION-BODY"; }\n',
  'src/ledger.sh': 'row() { echo PLANTED-SHELL; }\n',
  'docs/ledger.md':
    '# Rows of the ledger\n\nHow a row of the ledger is added, summed, sent, opened, closed: `addRow`, `sumRows`, `sendRow`, `rowOf`, `lastRow`, `closeRow`.\n\n## Python\n\n`add_row` and `sum_rows`, `last_row`, `Row`, `open_row`, `close_row`, `row`.\n\n## Others\n\nLedgerRow, `row()` of a row.\n',
};

it.each(['anthropic', 'openai', 'ollama'] as const)(
  '%s gets no line of a body, and no key stands anywhere but in its header',
  async (provider) => {
    await withFakeModels({ judge: byName, models: ['qwen3:8b', 'all-minilm:latest'] }, async (models) => {
      await withCodeProject(SOURCES, async ({ run, path, home }) => {
        const env = { ...models[provider], SVC_DEBUG: '1' };
        const asked = await run(['ingest', 'docs', '--yes'], { program: SVC_FILE, env });
        expect(asked.status).toBe(0);
        const dry = await run(['sync', '--llm', provider, '--model', 'qwen3:8b', '--dry-run'], {
          program: SVC_FILE,
          env,
        });
        const candidates = models.questions.flatMap((question) => question.candidates);
        expect(new Set(candidates.map(({ name }) => name)).size).toBeGreaterThan(10);
        expect(candidates.find(({ name }) => name === 'Ledger.addRow')?.signature).toMatch(
          /^addRow\(row: string, pass/,
        );
        const wire = models.requests.map(({ path: to, body }) => to + body).join('\n');
        const printed = asked.out + asked.err + dry.out + dry.err;
        const files = [path('.svc'), join(home, '.svc')].flatMap(textsIn).join('\n');
        expect(wire).not.toContain('PLANTED');
        expect(printed).not.toContain('PLANTED');
        expect(files.match(/PLANTED[-A-Z]*/g) ?? []).toEqual([]);
        for (const key of [ANTHROPIC_KEY, OPENAI_KEY]) {
          expect(wire).not.toContain(key);
          expect(printed).not.toContain(key);
          expect(files).not.toContain(key);
        }
        const keyed = models.requests.filter(({ headers }) => JSON.stringify(headers).includes('planted'));
        for (const { headers } of keyed) {
          const names = Object.keys(headers).filter((name) => String(headers[name]).includes('planted'));
          expect(names).toEqual(['authorization']);
        }
        expect(keyed.length).toBe(provider === 'ollama' ? 0 : models.questions.length);
      });
    });
  },
);

function textsIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isFile() ? [readFileSync(path, 'latin1')] : textsIn(path)));
}

it('nothing but names and types of any language goes to a model or into the graph', async () => {
  // What a reviewer finds in a source by name; each section has few enough to be candidates all.
  const named = Object.entries(SEALED_SOURCES).map(([path, text]) => {
    const words = new Set(text.match(/[A-Za-z_]\w{1,}(?=\s*[(=:<{]|\s+extends|;)/g));
    return [...words].filter((word) => !word.includes('PLANTED')).map((word) => [path, word] as const);
  });
  const sections = named.flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / 8) }, (_, i) => all.slice(i * 8, i * 8 + 8)),
  );
  const text = sections
    .map((all, i) => `## Part ${i}\n\n${all.map(([path, word]) => `\`${word}\` of \`${path}\``).join(', ')}\n`)
    .join('\n');
  const languages = new Set(Object.keys(SEALED_SOURCES).map((path) => languageOf(path)));
  expect(ALL_LANGUAGES.filter((one) => !languages.has(one)).map((one) => one.name)).toEqual([]);
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject({ ...SEALED_SOURCES, 'docs/all.md': text }, async ({ run, path }) => {
      const asked = await run(['ingest', 'docs', '--yes'], { program: SVC_FILE, env: models.anthropic });
      expect(asked.status).toBe(0);
      const candidates = models.questions.flatMap((question) => question.candidates);
      const seen = new Set(candidates.map((one) => one.path));
      expect(Object.keys(SEALED_SOURCES).filter((one) => !seen.has(one))).toEqual([]);
      expect(new Set(candidates.map(({ path: file, name }) => `${file} ${name}`)).size).toBeGreaterThan(90);
      const wire = models.requests.map(({ body }) => body).join('\n');
      expect(wire.match(/.{0,60}PLANTED\w*/g) ?? []).toEqual([]);
      expect(
        textsIn(path('.svc'))
          .join('\n')
          .match(/.{0,60}PLANTED\w*/g) ?? [],
      ).toEqual([]);
    });
  });
});
