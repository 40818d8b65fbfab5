/** Keys of the page: arrows through rows, and those of the editor, which are typed nowhere. */

/** Where one types what is looked for. */
const BOX = '#query, #topic';
const ROW = 'ul.rows button.row:enabled';
/** The editor waits as long for the second key of two, such as Ctrl+K A. */
const SECOND_KEY_MS = 5_000;

/** Listens for as long as the page is there. */
export function listenToKeys(): void {
  let firstAt = Number.NEGATIVE_INFINITY;
  document.addEventListener('keydown', (event) => {
    const isSecond = !isModifier(event) && event.timeStamp - firstAt < SECOND_KEY_MS;
    if (!isModifier(event)) firstAt = isFirst(event) && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
    // The editor hears of it all the same. It is not meant for the box that has the focus.
    if (isSecond || (!event.defaultPrevented && followArrow(event))) event.preventDefault();
  });
}

function isModifier({ key }: KeyboardEvent): boolean {
  return ['Control', 'Meta', 'Shift', 'Alt'].includes(key);
}

function isFirst({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey;
}

/**
 * Goes from the box of a question to the rows below it, through them, and back.
 * @returns whether the key was meant for that
 */
function followArrow({ key, altKey, ctrlKey, metaKey, shiftKey, target }: KeyboardEvent): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined || altKey || ctrlKey || metaKey || shiftKey) return false;
  const stops = [...document.querySelectorAll<HTMLElement>(`${BOX}, ${ROW}`)];
  const at = stops.indexOf(target as HTMLElement);
  const next = at < 0 ? undefined : stops[at + step];
  next?.focus();
  return next !== undefined;
}
