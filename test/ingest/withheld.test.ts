import { expect, it } from 'vitest';
import { SVC_FILE, withCodeProject } from '../support/code-project';
import { byName, withFakeModels } from '../support/fake-models';
import { drawing } from '../support/planted-secrets';

const { mixed } = drawing(7);
const [IN_SECTION, IN_COMMENT] = [mixed(36), mixed(36)];
const SOURCES = {
  'src/ledger.ts': `/** Adds a row with ghp_${IN_COMMENT}. */
export function addRow(row: string) { return row; }
/** Sums rows. */
export function sumRows(rows: number[]) { return rows; }
`,
  'docs/ledger.md': `# Ledger\n\n\`addRow\` adds a row.\n\n## Sums\n\n\`sumRows\` sums them.\n\nThe bot pushes with ghp_${IN_SECTION}.\n`,
};

it.each(['anthropic', 'openai', 'ollama'] as const)('%s gets no section in which a secret stands', async (provider) => {
  await withFakeModels({ judge: byName, models: ['qwen3:8b', 'all-minilm:latest'] }, async (models) => {
    await withCodeProject(SOURCES, async ({ run }) => {
      const options = { program: SVC_FILE, env: models[provider] };
      const named = 'Not sent: the section at docs/ledger.md:5, which holds a GitHub token in line';
      const dry = await run(['ingest', 'docs', '--llm', provider, '--model', 'qwen3:8b', '--dry-run'], options);
      expect(dry.out).toContain(named);
      const asked = await run(['ingest', 'docs', '--llm', provider, '--model', 'qwen3:8b', '--yes'], options);
      expect(asked).toMatchObject({ status: 0, out: expect.stringContaining(named) });
      const sent = JSON.stringify(models.requests);
      expect(sent).toContain('adds a row');
      for (const text of [sent, dry.out, asked.out, asked.err]) {
        for (const value of [IN_SECTION, IN_COMMENT]) expect(text).not.toContain(value.slice(0, 6));
      }
    });
  });
});
