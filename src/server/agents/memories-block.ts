/** Writes what is remembered into AGENTS.md, for agents without the memory. */
import { type AgentText, readProjectText, refuseToFollow, writeText } from './agent-text';
import { withBlockOf } from './marked-block';

const BEGIN = '<!-- svc-memory: what is remembered, as "svc-memory export --to agents-md" wrote it -->';

/**
 * Writes the lines between marks, in place of those of before; text around them stays as it is.
 * @param name of the file, below the root
 * @returns whether the file said something else before
 * @throws SvcError as readProjectText and writeText
 */
export function writeMemoriesBlock(root: string, name: string, lines: readonly string[]): boolean {
  const file: AgentText = readProjectText(root, name);
  refuseToFollow(file);
  const text = withBlockOf(BEGIN, lines.map(inert), file.text ?? '');
  if (text === file.text) return false;
  writeText(file, text);
  return true;
}

/** What a line says ends no block, and hides nothing. */
function inert(line: string): string {
  return line.replaceAll('<!--', '<! --').replaceAll('-->', '-- >');
}
