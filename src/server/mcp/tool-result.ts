/** Makes the result of `tools/call`. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ToolAnswer } from '../tools/call-tool';

/** An answer in one of three shapes: docs/behaviour.md, "Results". */
export function toolResult(answer: ToolAnswer, structured: boolean): CallToolResult {
  const content = [{ type: 'text' as const, text: answer.text }];
  if (!answer.ok) return { content, isError: true };
  if (!structured || Array.isArray(answer.value)) return { content };
  // A tool with an output schema answers with an object or a list (tools/define-tool).
  return { content, structuredContent: answer.value as Record<string, unknown> };
}
