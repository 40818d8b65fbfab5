/** Asks an agent's user whether a memory is to be kept. */
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { conflict } from '../base/errors';
import { cut, oneLine } from '../base/text';
import type { Project } from '../project/open';
import type { Call } from './serve';

/** What the client can do for us. */
export interface ClientAbilities {
  /** It shows its user a form (elicitation). */
  readonly asksUser: () => boolean;
}

/** What the user makes of a memory: `later` leaves it to Review. */
type Answer = 'keep' | 'later' | 'no';

const MOST_SHOWN = 500;
/** People go for coffee. A question without an answer waits in Review. */
const PATIENCE_MS = 300_000;

/**
 * Whether what `memory_store` is about to keep was kept by a person. Nobody is asked where the setting does not want it.
 * @throws SvcError conflict when the user does not want it
 */
export async function askToKeep(project: Project, call: Call, input: unknown): Promise<boolean> {
  if (project.keep() !== 'ask') return false;
  const answer = await ask(call, contentOf(input));
  if (answer !== 'no') return answer === 'keep';
  throw conflict(
    'Your user does not want this to be remembered',
    'Nothing was stored. Do not store it again in other words',
  );
}

function contentOf(input: unknown): string {
  const content = typeof input === 'object' && input !== null && 'content' in input ? input.content : '';
  return typeof content === 'string' ? cut(oneLine(content), MOST_SHOWN) : '';
}

async function ask(call: Call, content: string): Promise<Answer> {
  try {
    const { action, content: given } = await call.sendRequest(
      {
        method: 'elicitation/create',
        params: {
          message: `Remember this? “${content}”`,
          requestedSchema: {
            type: 'object',
            properties: {
              answer: {
                type: 'string',
                title: 'Remember it',
                enum: ['keep', 'later', 'no'],
                enumNames: ['Yes', 'Decide later, in Review', 'No'],
              },
            },
            required: ['answer'],
          },
        },
      },
      ElicitResultSchema,
      { timeout: PATIENCE_MS, signal: call.signal },
    );
    if (action === 'decline') return 'no';
    const answer = given?.answer;
    return action === 'accept' && (answer === 'keep' || answer === 'no') ? answer : 'later';
  } catch {
    return 'later'; // no answer is no consent
  }
}
