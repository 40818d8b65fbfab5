/** The command "Remember Selection…". */
import * as vscode from 'vscode';
import { CHOICE_ORDER, type MemoryKind } from '../../../kinds/kinds';
import { kindIcon, kindMeaning, kindName } from '../../kinds';
import { withoutLinks } from '../../stored-text';
import { meantPosition } from '../meant-position';
import { doneBy, tellDone, tellRefusal } from '../tell-done';
import { type Answered, askChoice, askText, type Step } from './ask-in-steps';
import type { Doing, PaletteCommand } from './command';
import { codePath, symbolAt } from './symbol-at';

/** More than this is a document, not a statement. */
const LONGEST_PREFILL = 2_000;

/** `agentMemory.remember`: what is selected, or what is typed, becomes a memory on the symbol under the cursor. */
export const REMEMBER: PaletteCommand = {
  command: 'agentMemory.remember',
  writes: 'memories',
  here: true,
  run: remember,
};

/** What was answered until now. */
interface Draft {
  kind: MemoryKind | undefined;
  content: string;
  rationale: string;
  rejected: string;
  about: string;
}

type Question = keyof Draft;

/** Only a decision has reasons. */
const QUESTIONS: readonly Question[] = ['kind', 'content', 'about'];
const OF_A_DECISION: readonly Question[] = ['kind', 'content', 'rationale', 'rejected', 'about'];

/** What is lost when it is not kept; the rest is picked, or follows from the cursor. */
const TYPED = ['content', 'rationale', 'rejected'] as const;

/** What somebody typed and gave up, with what was selected: Escape is pressed by mistake as well. */
let left: { readonly draft: Draft; readonly statement: string } | undefined;

async function remember(doing: Doing): Promise<void> {
  const active = vscode.window.activeTextEditor;
  const selected = active ? active.document.getText(active.selection).trim().slice(0, LONGEST_PREFILL) : '';
  const [code = ''] = active && active.document.uri.scheme === 'file' ? await entitiesAt(doing, active) : [];
  const statement = statementIn(selected);
  // Another name goes behind it.
  const about = code === '' ? '' : `${code}, `;
  const fresh: Draft = { kind: undefined, content: statement, rationale: '', rejected: '', about };
  const again = left && (statement === '' || statement === left.statement) ? left : undefined;
  const draft: Draft = again ? { ...again.draft, about } : { ...fresh };
  const title = titleFor(code);

  for (let at = 0; ; ) {
    const questions = draft.kind === 'decision' ? OF_A_DECISION : QUESTIONS;
    const question = questions[at];
    if (question === undefined) {
      if (await store(doing, draft)) {
        if (again === left) left = undefined;
        return;
      }
      // What was typed is there to be put in other words.
      at = QUESTIONS.indexOf('content');
      continue;
    }
    const went = await ask(question, draft, {
      title,
      step: at + 1,
      // A decision has more of them than the rest.
      totalSteps: draft.kind === undefined ? undefined : questions.length,
    });
    if (went === undefined) {
      const isTyped = TYPED.some((each) => !['', fresh[each].trim()].includes(draft[each].trim()));
      if (isTyped) left = { draft, statement };
      else if (again === left) left = undefined;
      return;
    }
    at += went === 'back' ? -1 : 1;
  }
}

/** @returns false where it was refused, which is told */
async function store({ memories, place }: Doing, draft: Draft): Promise<boolean> {
  const statement = draft.content.trim();
  try {
    const { operation } = await memories.act(place, 'memory_store', {
      content: statement,
      kind: draft.kind,
      ...(draft.kind === 'decision' ? reasonsOf(draft) : {}),
      entities: listed(draft.about, ','),
    });
    // Said once more in the same words, it changes nothing.
    const said =
      operation === null
        ? vscode.l10n.t('Remembered already: {0}', withoutLinks(statement))
        : vscode.l10n.t('Remembered: {0}', withoutLinks(statement));
    tellDone(memories, said, doneBy(place, operation));
    return true;
  } catch (error) {
    tellRefusal(error);
    return false;
  }
}

/** What begins a line of a comment. */
const COMMENT = /^\s*(?:\/\/+|\/\*+|\*+\/|\*|#+|--)\s?/gmu;
const CODE = /[{};=]|:$|^\s*(?:def|function|return|import|from|const|let|var|if|for)\s/mu;

/** What is selected, where it is words: code, a bracket or a name is no statement. Of a comment it is what it says. */
function statementIn(selected: string): string {
  const text = selected.replace(COMMENT, '').replace(/\*\/$/u, '').trim();
  const isWords = /\p{L}\s+\p{L}/u.test(text) && !CODE.test(text);
  return isWords ? text.replace(/\s+/g, ' ') : '';
}

/** @param code at the cursor; empty where there is none */
function titleFor(code: string): string {
  if (code === '') return vscode.l10n.t('Remember');
  return vscode.l10n.t('Remember on {0}', code.slice(code.search(/[^#/]*$/)));
}

/** @returns undefined when the person gave up */
async function ask(question: Question, draft: Draft, step: Step): Promise<'on' | 'back' | undefined> {
  if (question === 'kind') {
    const chosen = await askKind(draft, step);
    draft.kind = chosen?.value?.memoryKind ?? draft.kind;
    return wentBy(chosen);
  }
  const typed = (text: string): void => {
    draft[question] = text;
  };
  const answered = await askText(step, { ...textAsked()[question], value: draft[question], typed });
  if (answered) draft[question] = answered.value;
  return wentBy(answered);
}

function wentBy(answered: Answered<unknown>): 'on' | 'back' | undefined {
  if (!answered) return undefined;
  return answered.back ? 'back' : 'on';
}

function askKind({ kind }: Draft, step: Step) {
  const items = CHOICE_ORDER.map((memoryKind) => ({
    label: kindName(memoryKind),
    description: kindMeaning(memoryKind),
    iconPath: kindIcon(memoryKind),
    memoryKind,
  }));
  const active = items.find(({ memoryKind }) => memoryKind === kind);
  return askChoice(step, { placeholder: vscode.l10n.t('What kind of memory?'), items, active });
}

function textAsked(): Record<
  Exclude<Question, 'kind'>,
  { prompt: string; check?: (text: string) => string | undefined }
> {
  return {
    content: {
      prompt: vscode.l10n.t('Write one statement that can be understood on its own.'),
      check: (text) => (text.trim() === '' ? vscode.l10n.t('Type something, or press Escape.') : undefined),
    },
    rationale: { prompt: vscode.l10n.t('Why was this decided? Enter skips this.') },
    rejected: { prompt: vscode.l10n.t('What else was considered? Separated by semicolons. Enter skips this.') },
    about: {
      prompt: vscode.l10n.t(
        'What is it about? Names separated by commas: functions, files, components, people. May be empty.',
      ),
    },
  };
}

function reasonsOf({ rationale, rejected }: Draft): { rationale?: string; alternatives_rejected?: string[] } {
  const alternatives_rejected = listed(rejected, ';');
  return {
    ...(rationale.trim() === '' ? {} : { rationale: rationale.trim() }),
    ...(alternatives_rejected.length === 0 ? {} : { alternatives_rejected }),
  };
}

/** `path#name` says which of several functions of one name is meant. */
async function entitiesAt(doing: Doing, active: vscode.TextEditor): Promise<string[]> {
  const path = codePath(doing.place, active.document.uri);
  if (path === undefined) return [];
  const symbol = await symbolAt(doing, active.document, meantPosition(active));
  return [symbol === undefined ? path : `${path}#${symbol}`];
}

function listed(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
