import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type CodeProject, codeProjectOnce, withCodeProject } from '../support/code-project';

const FILES = 5;
const IN_EACH = 10;
const AT_ONCE = 4;
/** 50 processes, on a machine that does other things as well. */
const PATIENCE_MS = 600_000;

const functionIn = (file: number, i: number): string => `step${file}${String.fromCharCode(97 + i)}`;
const pathOf = (file: number): string => `src/part${file}.js`;
const bodyOf = (file: number, i: number): string => `  return ${file} * ${i + 1};`;
const decisionOn = (file: number, i: number): string => `${functionIn(file, i)} multiplies, because it was measured`;

const sources = Object.fromEntries(
  Array.from({ length: FILES }, (_, file) => [
    pathOf(file),
    Array.from({ length: IN_EACH }, (_, i) => `function ${functionIn(file, i)}() {\n${bodyOf(file, i)}\n}\n`).join(
      '\n',
    ),
  ]),
);

const decided = codeProjectOnce(sources, async (project) => {
  await project.build();
  const server = await project.memoryServer();
  for (let file = 0; file < FILES; file++) {
    for (let i = 0; i < IN_EACH; i++) {
      const entities = [`${pathOf(file)}#${functionIn(file, i)}`];
      await server.call('memory_store', { content: decisionOn(file, i), kind: 'decision', entities });
    }
  }
});

/** How the agents of five hosts edit a piece of a file, as their hooks are told. */
const SCRIPTED = {
  claude: (path: string, piece: string) => ({
    event: 'pre-tool-use',
    tool_name: 'Edit',
    tool_input: { file_path: path, old_string: piece, new_string: '  return 0;' },
  }),
  vscode: (path: string, piece: string) => ({
    event: 'pre-tool-use',
    tool_name: 'multi_replace_string_in_file',
    tool_input: { replacements: [{ filePath: path, oldString: piece, newString: '  return 0;' }] },
  }),
  codex: (path: string, piece: string) => ({
    event: 'pre-tool-use',
    tool_name: 'apply_patch',
    tool_input: { command: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${piece}\n+  return 0;\n*** End Patch` },
  }),
  gemini: (path: string, piece: string) => ({
    event: 'post-tool-use',
    tool_name: 'replace',
    tool_input: { file_path: path, old_string: piece, new_string: '  return 0;' },
  }),
  cursor: (path: string, piece: string) => ({
    event: 'post-tool-use',
    tool_name: 'Write',
    tool_input: JSON.stringify({ file_path: path, old_string: piece }),
  }),
};
const HOSTS = Object.keys(SCRIPTED) as (keyof typeof SCRIPTED)[];

async function contextOf(project: CodeProject, file: number, i: number): Promise<string> {
  const host = HOSTS[i % HOSTS.length] ?? 'claude';
  const { event, ...sent } = SCRIPTED[host](join(project.folder, pathOf(file)), bodyOf(file, i));
  const { out } = await project.run(['hook', event, '--host', host], {
    input: JSON.stringify({ cwd: project.folder, session_id: host, ...sent }),
  });
  return out;
}

it(
  'of 50 edits to functions that have a decision, the decision is in context in 50, and no other function’s',
  () =>
    withCodeProject(
      {},
      async (project) => {
        const edits = Array.from(
          { length: FILES * IN_EACH },
          (_, n) => [Math.floor(n / IN_EACH), n % IN_EACH] as const,
        );
        const missed: string[] = [];
        for (let at = 0; at < edits.length; at += AT_ONCE) {
          await Promise.all(
            edits.slice(at, at + AT_ONCE).map(async ([file, i]) => {
              const context = await contextOf(project, file, i);
              if (!context.includes(decisionOn(file, i))) missed.push(functionIn(file, i));
              const named = new Set(context.match(/\bstep\w+(?= multiplies)/g));
              expect([...named]).toEqual([functionIn(file, i)]);
            }),
          );
        }
        expect(missed).toEqual([]);
      },
      decided,
    ),
  PATIENCE_MS,
);
