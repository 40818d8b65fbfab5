import type { CheckoutSpeed } from './checkout';
import { atMost, count, type Goal, milliseconds, plain } from './goals';
import { table } from './table';

/** In milliseconds, for 1,000 links. */
const EVENTS = 1_000;
const UNBUILT = 2_000;

export function checkoutGoals(checkout: CheckoutSpeed | undefined): Goal[] {
  if (!checkout) return [];
  const { files, events, unbuilt } = checkout;
  const what = `verdicts of ${count(files)} links after a checkout`;
  return [
    ...atMost(`${what}, from the last file event`, events, EVENTS, milliseconds),
    ...atMost(`${what}, in a server that has just started`, unbuilt, UNBUILT, milliseconds),
  ];
}

export function checkoutFigures(checkout: CheckoutSpeed | undefined): string[] {
  if (!checkout) return [];
  const { files, status, events, unbuilt } = checkout;
  const row = (what: string, ms: number): string[] => [what, plain(ms), plain(ms / status)];
  return [
    '## After a checkout',
    '',
    ...table(
      [`a checkout that changed ${count(files)} files with a link each`, 'ms', 'of git status'],
      [
        row('git status', status),
        row('verdicts in the editor, from the last file event', events),
        row('verdicts of a server that has just started, without a build', unbuilt),
      ],
    ),
  ];
}
