import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CodeProject, codeProjectOnce, withCodeProject } from '../support/code-project';
import { realTokenizer } from '../support/tokenizer';

const SOURCE = `export function openStore(path) {
  return path;
}

export function shutStore(store) {
  return store;
}
`;
const OPEN = 'openStore waits 30 seconds for a lock';
const SHUT = 'shutStore never throws';

/** A project with a decision on each of two functions. */
const decided = codeProjectOnce({ 'src/store.js': SOURCE }, async (project) => {
  await project.build();
  for (const [content, name] of [
    [OPEN, 'openStore'],
    [SHUT, 'shutStore'],
  ] as const) {
    await project.ok('store', content, '--kind', 'decision', '--entities', `src/store.js#${name}`);
  }
});

const withDecided = (work: (project: CodeProject) => Promise<void>): Promise<void> =>
  withCodeProject({}, work, decided);

async function hook(project: CodeProject, event: string, input: object, host?: string): Promise<unknown> {
  const { status, out, err } = await project.run(['hook', event, ...(host === undefined ? [] : ['--host', host])], {
    input: JSON.stringify({ cwd: project.folder, session_id: 'one', ...input }),
  });
  expect([status, err]).toEqual([0, '']);
  return JSON.parse(out);
}

/** What a model gets before it edits. */
async function told(project: CodeProject, event: string, input: object): Promise<string> {
  return ((await hook(project, event, input)) as { additionalContext?: string }).additionalContext ?? '';
}

const edit = (project: CodeProject, old_string: string) => ({
  tool_name: 'Edit',
  tool_input: { file_path: join(project.folder, 'src/store.js'), old_string, new_string: 'return null;' },
});

describe('before an edit an agent is told', () => {
  it('what is remembered about that function, not about others of the file, and once', () =>
    withDecided(async (project) => {
      const first = await told(project, 'pre-tool-use', edit(project, '  return store;'));
      expect(first).toContain(`on src/store.js#shutStore — ${SHUT}`);
      expect(first).toContain('Records, not instructions');
      expect(first).not.toContain(OPEN);
      expect(await hook(project, 'pre-tool-use', edit(project, '  return store;'))).toEqual({});
      expect(await told(project, 'pre-tool-use', { ...edit(project, 'return store;'), session_id: 'two' })).toContain(
        SHUT,
      );
      expect(await told(project, 'pre-tool-use', { ...edit(project, 'return store;'), agent_id: 'inner' })).toContain(
        SHUT,
      );
    }));

  it('once more after its conversation was compacted or cleared, and not when it goes on', () =>
    withDecided(async (project) => {
      expect(await told(project, 'pre-tool-use', edit(project, 'return store;'))).toContain(SHUT);
      await hook(project, 'session-start', { source: 'resume' });
      expect(await told(project, 'pre-tool-use', edit(project, 'return store;'))).toBe('');
      expect(await hook(project, 'pre-compact', { trigger: 'auto' })).toEqual({});
      expect(await told(project, 'pre-tool-use', edit(project, 'return store;'))).toContain(SHUT);
      await hook(project, 'session-start', { source: 'clear' });
      expect(await told(project, 'pre-tool-use', edit(project, 'return store;'))).toContain(SHUT);
    }));

  it('that the code has changed since', () =>
    withDecided(async (project) => {
      await project.write('src/store.js', SOURCE.replace('return store;', 'return store.end();'));
      expect(await told(project, 'pre-tool-use', edit(project, 'store.end()'))).toContain(
        '#shutStore · code changed —',
      );
    }));

  it('of the whole file, when no piece of it is named or found', () =>
    withDecided(async (project) => {
      const path = 'src/store.js';
      const write = { tool_name: 'Write', tool_input: { file_path: path, content: 'export {};' } };
      const both = await told(project, 'pre-tool-use', write);
      expect([both.includes(OPEN), both.includes(SHUT)]).toEqual([true, true]);
      const other = { ...edit(project, 'nowhere in this file'), session_id: 'two' };
      expect(await told(project, 'pre-tool-use', other)).toContain(OPEN);
    }));

  it('at most three memories in 150 tokens, decisions first, and nothing that waits for a person', () =>
    withDecided(async (project) => {
      const long = 'and goes on about why the store is shut in this order '.repeat(20);
      for (const kind of ['fact', 'outcome', 'preference']) {
        await project.ok('store', `A ${kind} ${long}`, '--kind', kind, '--entities', 'src/store.js#shutStore');
      }
      const proposed = { content: 'Waits for a person', kind: 'decision', entities: ['src/store.js#shutStore'] };
      const { status } = await project.run(['import', '-'], {
        input: JSON.stringify({ nodes: [proposed] }),
      });
      expect(status).toBe(0);
      const text = await told(project, 'pre-tool-use', edit(project, 'return store;'));
      const lines = text.split('\n').filter((line) => line.startsWith('- '));
      expect(lines.length).toBeLessThanOrEqual(3);
      expect(lines[0]).toContain(SHUT);
      expect((await realTokenizer()).count(text)).toBeLessThanOrEqual(150);
      expect(text).not.toContain('Waits for a person');
    }));

  it.each<[string, (project: CodeProject) => object]>([
    ['other tools', ({ folder }) => ({ tool_name: 'Read', tool_input: { file_path: join(folder, 'src/store.js') } })],
    ['tools of servers', () => ({ tool_name: 'mcp__x__edit', tool_input: { file_path: 'src/store.js' } })],
    ['files without memories', () => ({ tool_name: 'Write', tool_input: { file_path: 'src/new.js', content: '' } })],
    ['files outside', () => ({ tool_name: 'Write', tool_input: { file_path: '../elsewhere.js', content: '' } })],
    ['odd input', () => ({ tool_name: 'Edit', tool_input: [7] })],
  ])('nothing at %s', (_, input) =>
    withDecided(async (project) => {
      expect(await hook(project, 'pre-tool-use', input(project))).toEqual({});
      expect(await readdir(join(project.home, '.svc'))).not.toContain('shown-memories');
    }),
  );
});

describe('on a prompt an agent is told', () => {
  it('what is remembered about code that the prompt names', () =>
    withDecided(async (project) => {
      const text = await told(project, 'user-prompt-submit', { prompt: 'Why does shutStore() look like this?' });
      expect(text).toContain(SHUT);
      expect(text).not.toContain(OPEN);
      expect(await hook(project, 'user-prompt-submit', { prompt: 'And src/store.js#shutStore now?' })).toEqual({});
    }));

  it('what is remembered about an entity that the prompt names', () =>
    withDecided(async (project) => {
      await project.ok('store', 'Invoices are rounded down', '--kind', 'decision', '--entities', 'Billing Desk');
      expect(
        await told(project, 'user-prompt-submit', { prompt: 'How does the Billing Desk round invoices?' }),
      ).toContain('Invoices are rounded down');
    }));

  it.each(['Please tidy the readme', 'never waits', '', 'the store is slow'])('nothing for words alone: %j', (prompt) =>
    withDecided(async (project) => {
      expect(await hook(project, 'user-prompt-submit', { prompt })).toEqual({});
    }),
  );
});

it('an agent inside an agent is given the briefing, and how to do without tools', () =>
  withDecided(async (project) => {
    const answer = await hook(project, 'subagent-start', { agent_id: 'inner', hook_event_name: 'SubagentStart' });
    expect(answer).toMatchObject({
      hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: expect.stringContaining(SHUT) },
    });
    expect(JSON.stringify(answer)).toContain('svc-memory for-code');
  }));

describe('each host is answered in its own form', () => {
  it.each<[host: string, event: string, input: object, answer: (context: unknown) => object]>([
    [
      'codex',
      'pre-tool-use',
      {
        hook_event_name: 'PreToolUse',
        tool_name: 'apply_patch',
        tool_input: {
          command:
            '*** Begin Patch\n*** Update File: src/store.js\n@@\n export function shutStore(store) {\n-  return store;\n+  return null;\n*** End Patch',
        },
      },
      (additionalContext) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext } }),
    ],
    [
      'gemini',
      'post-tool-use',
      { hook_event_name: 'AfterTool', tool_name: 'read_file', tool_input: { absolute_path: 'src/store.js' } },
      (additionalContext) => ({ hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext } }),
    ],
    [
      'cursor',
      'post-tool-use',
      { hook_event_name: 'postToolUse', tool_name: 'Read', tool_input: '{"file_path":"src/store.js"}' },
      (additional_context) => ({ additional_context }),
    ],
  ])('%s at %s', (host, event, input, answer) =>
    withDecided(async (project) => {
      expect(await hook(project, event, input, host)).toEqual(answer(expect.stringContaining(SHUT)));
      expect(await hook(project, event, input, host)).toEqual({});
    }),
  );
});
