/** Asks several questions one after another, with a way back. */
import * as vscode from 'vscode';

/** Where a question stands: the first is 1. */
export interface Step {
  readonly title: string;
  readonly step: number;
  /** Where it is known by now. */
  readonly totalSteps: number | undefined;
}

/** What somebody chose or typed, also where they went back; undefined when they gave up. */
export type Answered<T> = { readonly value: T; readonly back: boolean } | undefined;

/**
 * @param check says why a text is no answer; one that is no answer is kept when somebody goes back
 * @param typed is told of each letter, so that a text is not lost with the question
 */
export function askText(
  step: Step,
  {
    prompt,
    value,
    check = () => undefined,
    typed,
  }: { prompt: string; value: string; check?: (text: string) => string | undefined; typed: (text: string) => void },
): Promise<Answered<string>> {
  const box = vscode.window.createInputBox();
  box.prompt = prompt;
  box.value = value;
  // What is typed is added to it.
  box.valueSelection = [value.length, value.length];
  box.onDidChangeValue((text) => {
    typed(text);
    box.validationMessage = undefined;
  });
  return answerOf(
    box,
    step,
    () => {
      box.validationMessage = check(box.value);
      return box.validationMessage === undefined ? box.value : undefined;
    },
    () => box.value,
  );
}

export function askChoice<Item extends vscode.QuickPickItem>(
  step: Step,
  { placeholder, items, active }: { placeholder: string; items: readonly Item[]; active: Item | undefined },
): Promise<Answered<Item | undefined>> {
  const list = vscode.window.createQuickPick<Item>();
  list.placeholder = placeholder;
  list.matchOnDescription = true;
  list.items = items;
  if (active) list.activeItems = [active];
  return answerOf(
    list,
    step,
    () => list.selectedItems[0],
    () => active,
  );
}

/** @param accepted undefined where it is no answer yet */
function answerOf<T>(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  { title, step, totalSteps }: Step,
  accepted: () => T | undefined,
  sofar: () => T,
): Promise<Answered<T>> {
  // "(1)" says nothing without "of how many".
  Object.assign(input, { title, step: totalSteps && step, totalSteps, ignoreFocusOut: true });
  if (step > 1) input.buttons = [vscode.QuickInputButtons.Back];
  return new Promise<Answered<T>>((resolve) => {
    input.onDidAccept(() => {
      const value = accepted();
      if (value !== undefined) resolve({ value, back: false });
    });
    input.onDidTriggerButton(() => resolve({ value: sofar(), back: true }));
    input.onDidHide(() => resolve(undefined));
    input.show();
  }).finally(() => input.dispose());
}
