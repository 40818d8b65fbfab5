/** Asks the person at the terminal. */

type Ask = (question: string) => Promise<string>;

/** What is typed; nothing when the terminal is closed in place of an answer, or Ctrl-C is pressed. */
export async function answerOf(ask: Ask, question: string): Promise<string> {
  try {
    return await ask(question);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return '';
    throw error;
  }
}

/** Whether the answer is a plain yes; a closed terminal says no. */
export async function saysYes(ask: Ask, question: string): Promise<boolean> {
  return /^\s*(?:y|yes)\s*$/i.test(await answerOf(ask, question));
}
