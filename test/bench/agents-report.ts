import type { AgentDay } from '../agents/results';
import { table } from './table';

/** What 0.1.0 showed the same agents, measured in the same way. */
interface Before {
  readonly tools: number;
  readonly tokens: number;
  readonly searches: number;
}
const BEFORE: Readonly<Record<string, Before>> = {
  claude: { tools: 0, tokens: 194, searches: 9 },
  codex: { tools: 20, tokens: 1_993, searches: 0 },
  opencode: { tools: 20, tokens: 1_987, searches: 0 },
  gemini: { tools: 20, tokens: 3_184, searches: 0 },
  qwen: { tools: 0, tokens: 194, searches: 9 },
  continue: { tools: 20, tokens: 1_851, searches: 0 },
  copilot: { tools: 20, tokens: 2_064, searches: 0 },
};

/** The working days of agents of others, as `npm run test:agents` measured them last. */
export function agentFigures(days: readonly AgentDay[]): string[] {
  if (days.length === 0) return [];
  const inContext = days.reduce((sum, day) => sum + day.inContext, 0);
  const edits = days.reduce((sum, day) => sum + day.edits, 0);
  return [
    '## Agents of others',
    '',
    'Measured by `npm run test:agents`, with a scripted model: what each agent does with the memory, and nothing of how often a model',
    'would. "0.1.0" is the first version, before hooks at edits; tokens there count bare names where no more was shown.',
    '',
    ...table(
      [
        'agent',
        'our tools in its first request: 0.1.0, now',
        'their tokens: 0.1.0, now',
        'searches for tools in a day: 0.1.0, now',
        'searches until recall, store and for_code are at hand',
        'instructions in its first request',
        'edits whose decision was in context',
        'results that came whole',
      ],
      days.map((day) => {
        const { tools, tokens, searches } = BEFORE[day.id] ?? { tools: 0, tokens: 0, searches: 0 };
        return [
          `${day.name} ${day.version}`,
          `${tools}, ${day.firstTools}`,
          `${tokens}, ${day.firstTools === 0 ? 0 : day.firstTokens}`,
          `${searches}, ${day.searches}`,
          String(day.untilNeeded),
          day.instructions,
          `${day.inContext} of ${day.edits}${day.asked ? ', asked for' : ', by hooks'}`,
          `${day.whole} of ${day.wholeOf}`,
        ];
      }),
    ),
    `${inContext} of ${edits} edits of functions that have a decision had it in context; in 0.1.0 none had. Agents without hooks asked for it`,
    'before each edit, as the instructions tell them. Codex was measured with a model that it did not know then, to which it shows all tools,',
    'and with one that it knows now, to which it shows none before a search. No process outlived an agent that ended or was killed.',
    '',
  ];
}
