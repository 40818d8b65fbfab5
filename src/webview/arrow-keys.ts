/** Arrow keys lead from the box of a question to the rows below it, through them, and back. */

/** Where one types what is looked for. */
const BOX = '#query, #topic';
const ROW = 'ul.rows button.row:enabled';

/** @returns whether the key was meant for that */
export function followArrow({ key, altKey, ctrlKey, metaKey, shiftKey, target }: KeyboardEvent): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined || altKey || ctrlKey || metaKey || shiftKey) return false;
  const stops = [...document.querySelectorAll<HTMLElement>(`${BOX}, ${ROW}`)];
  const at = stops.indexOf(target as HTMLElement);
  const next = at < 0 ? undefined : stops[at + step];
  next?.focus();
  return next !== undefined;
}
