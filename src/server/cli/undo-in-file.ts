/** `undo` of what a command did in the file of a shared memory. */
import { SvcError } from '../base/errors';
import { isNumberOfFile } from '../base/file-numbers';
import { lastOperation } from '../memory/history/undo';
import { namespaceNumber } from '../memory/namespaces';
import { isCommand, keptWith, lastKept, undoKept } from '../project/kept-edits';
import type { Project } from '../project/open';
import { refused, type ToolAnswer } from '../tools/call-tool';
import type { Tool } from '../tools/define-tool';
import { undo } from '../tools/undo';
import type { Cli } from './cli';
import { refuseAgents } from './person';

const PERSONAL = {
  act: 'take back what a command did in a file of the repository',
  forUser: 'Nothing was taken back. A person can run "svc-memory undo", and Git has what was committed of the file',
  withoutTerminal: '',
};

/** @returns undefined where something else is asked, or what was done last is an operation of the store */
export async function undoInFile(
  cli: Pick<Cli, 'startedByAgent'>,
  project: Project,
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer | undefined> {
  const { memory } = project;
  if (tool.name !== undo.name || !isCommand(memory)) return undefined;
  try {
    const number =
      typeof input.operation === 'number' ? await inFile(project, input.operation) : await lastInFile(project);
    if (number === undefined) return undefined;
    refuseAgents(cli, PERSONAL);
    const value = await undoKept(project, memory, number);
    return { ok: true, text: JSON.stringify(value), value, operation: value.operation };
  } catch (error) {
    if (error instanceof SvcError) return refused(error);
    throw error;
  }
}

/** The change in a file that a number means, or that goes with the operation of the store that it means. */
async function inFile(project: Project, asked: number): Promise<number | undefined> {
  return isNumberOfFile(asked) ? asked : keptWith(project, project.memory, asked);
}

async function lastInFile(project: Project): Promise<number | undefined> {
  const { memory } = project;
  if ((await lastKept(project, memory, undefined)) === undefined) return undefined;
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  return lastKept(project, memory, await lastOperation(memory, ns));
}
