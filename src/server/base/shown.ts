/** Prints the short values of a row: ids, times, numbers, words. */
import { cut, oneLine } from './text';

/**
 * The short values of a row, as they are printed between our own marks. A store file may come from anybody, and its
 * ids, times and numbers may be any text then. What is in our own form is printed as it is.
 */

/** Ids that an import brings along are longer than ours. */
const ID = /^\w[\w-]{0,69}$/;
const MAX_ID_LENGTH = 70;

export function isPlainId(id: string): boolean {
  return ID.test(id);
}

/** An id, safe wherever it is printed: it ends no bracket, makes no link and no line. */
export function shownId(id: string): string {
  // A team's memory is named by `t:` before its id.
  if (ID.test(id.startsWith('t:') ? id.slice(2) : id)) return id;
  return cut(oneLine(id), MAX_ID_LENGTH).replace(/[^\w-]+/g, '?') || '?';
}

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d\.\d{3}Z)?$/;
/** A mark for each digit of a time that is in no form of ours. */
const UNKNOWN_TIME = '????-??-??T??:??:??.???Z';

/** A timestamp in our own 24-character form, or a day. */
export function shownTime(timestamp: string): string {
  return TIME.test(timestamp) ? timestamp : UNKNOWN_TIME;
}

/** Its day, `2026-03-31`. */
export function shownDay(timestamp: string): string {
  return shownTime(timestamp).slice(0, 10);
}

/** `2026-03-31 12:00` */
export function shownMinute(timestamp: string): string {
  return shownTime(timestamp).slice(0, 16).replace('T', ' ');
}

/** `2026-03-31 12:00:07` */
export function shownSecond(timestamp: string): string {
  return shownTime(timestamp).slice(0, 19).replace('T', ' ');
}

/** A number from 0 to 1, `0.80`. */
export function shownShare(share: number): string {
  return share >= 0 && share <= 1 ? share.toFixed(2) : '?.??';
}

const WORD = /^[a-z][a-z_]{0,29}$/i;
const MAX_WORD_LENGTH = 30;

/** A kind, a verdict, the type of a symbol or the name of a tool: one word of ours. */
export function shownWord(word: string): string {
  return WORD.test(word) ? word : cut(oneLine(word), MAX_WORD_LENGTH);
}

const SHORT_COMMIT = 8;

/** How a commit is called beside its author. */
export function shownCommit(id: string): string {
  return id.slice(0, SHORT_COMMIT);
}
