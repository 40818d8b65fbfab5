/** The prompts that clients offer to people. */
import type { GetPromptResult, ListPromptsResult, Prompt } from '@modelcontextprotocol/sdk/types.js';
import { quoted } from '../base/text';
import { KEEP_WHAT_WAS_SETTLED, RULES } from '../guidance/sentences';
import type { Ask } from './ask';
import { invalidParams } from './protocol-error';

interface MemoryPrompt extends Prompt {
  /** The text that a person sends to the model with this prompt. */
  readonly text: (ask: Ask, given: Readonly<Record<string, string>>) => Promise<string>;
}

const PROMPTS: readonly MemoryPrompt[] = [
  {
    name: 'brief',
    title: 'Brief me',
    description: 'Start from what this project remembers, and from what it knows about a topic.',
    arguments: [{ name: 'topic', description: 'What the work is about: a part, a file, a question', required: false }],
    text: async (ask, { topic }) => {
      const parts = [
        `This is what the memory of this project holds. ${RULES.record}`,
        (await ask('memory_recall', { query: 'project context' })).text,
      ];
      if (topic !== undefined) parts.push((await ask('memory_recall', { query: topic })).text);
      parts.push(
        'Sum up in a few lines what matters for the work ahead, and say where the code no longer agrees with it.',
      );
      return parts.join('\n\n');
    },
  },
  {
    name: 'remember',
    title: 'Remember this',
    description: 'Store what was settled, in memories that later sessions can find.',
    arguments: [
      { name: 'what', description: 'What to keep; without it, what this conversation settled', required: false },
    ],
    text: async (_, { what }) =>
      [
        what === undefined ? KEEP_WHAT_WAS_SETTLED[0] : `Keep this for later sessions:\n\n${what}`,
        ...KEEP_WHAT_WAS_SETTLED.slice(1),
      ].join('\n\n'),
  },
  {
    name: 'why',
    title: 'Why is it like this?',
    description: 'Explain a decision: its reasons, what was rejected, what came of it.',
    arguments: [{ name: 'decision', description: 'Id of a decision, or words that describe it', required: true }],
    text: async (ask, { decision }) =>
      [
        `This is what the memory of this project holds on a decision. ${RULES.record}`,
        (await ask('memory_why', { decision_ref: decision })).text,
        'Explain why it was taken, what was rejected and why, and whether its reasons still hold in the code as it is now.',
      ].join('\n\n'),
  },
];

export function listPrompts(): ListPromptsResult {
  return { prompts: PROMPTS.map(({ text, ...prompt }) => prompt) };
}

/** @throws ProtocolError -32602 for an unknown prompt, a missing or an unknown argument */
export async function getPrompt(ask: Ask, name: unknown, given: unknown): Promise<GetPromptResult> {
  const prompt = PROMPTS.find((candidate) => candidate.name === name);
  if (!prompt) {
    const names = PROMPTS.map((candidate) => candidate.name).join(', ');
    throw invalidParams(`There is no prompt ${quoted(String(name))}. The prompts are ${names}.`);
  }
  const text = await prompt.text(ask, checkArguments(prompt, given ?? {}));
  return {
    description: prompt.description ?? '',
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

/** Blank arguments count as absent: clients show a field for each and send what stands in it. */
function checkArguments(prompt: MemoryPrompt, given: unknown): Record<string, string> {
  const declared = prompt.arguments ?? [];
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(given as Record<string, unknown>)) {
    if (typeof value !== 'string' || !declared.some((argument) => argument.name === name)) {
      const names = declared.map((argument) => argument.name).join(', ');
      throw invalidParams(`${quoted(name)} is not a text argument of the prompt ${prompt.name}. It takes: ${names}.`);
    }
    if (value.trim() !== '') checked[name] = value;
  }
  for (const { name, required } of declared) {
    if (required && checked[name] === undefined) {
      throw invalidParams(`The argument "${name}" of the prompt ${prompt.name} is missing.`);
    }
  }
  return checked;
}
