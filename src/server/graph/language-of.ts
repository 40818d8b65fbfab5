// Tells the language of a file by its name or its first line.
import { basename, extname } from 'node:path';
import type { Family, Language } from './language';
import { ALL_LANGUAGES } from './languages';

const BY_EXTENSION = new Map(ALL_LANGUAGES.flatMap((one) => one.endings.map((ending) => [ending, one] as const)));
const BY_NAME = new Map(ALL_LANGUAGES.flatMap((one) => one.fileNames.map((name) => [name, one] as const)));

/** Systems read no longer first line of a script than this. */
const LONGEST_FIRST_LINE = 255;
const SETTING = /^(?:-.|\w+=)/;

/** Of files whose name does not tell their language. */
const NO_FAMILY: Family = {
  name: '',
  names: 'namespace',
  unexplained: 'perhaps any',
  allBound: false,
  capitalTypes: false,
  wholeClasses: false,
  namespaced: false,
  modules: 'path',
  modulePath: undefined,
};

/** `#!/usr/bin/env -S node --flag`, `#!/bin/sh -e` */
function programOf(text: string): string | undefined {
  if (!text.startsWith('#!')) return undefined;
  const [line = ''] = text.slice(2, LONGEST_FIRST_LINE).split('\n', 1);
  const [first = '', ...more] = line.trim().split(/\s+/);
  const program = lastOf(first) === 'env' ? more.find((word) => !SETTING.test(word)) : first;
  return program === undefined ? undefined : lastOf(program);
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A script may tell its language in its first line alone. */
export function mayBeScript(path: string): boolean {
  return !basename(path).includes('.');
}

/**
 * @param text how the file begins, for what has no extension
 * @returns undefined for a file whose language is not known
 */
export function languageOf(path: string, text?: string): Language | undefined {
  const name = basename(path);
  const known = BY_NAME.get(name) ?? BY_EXTENSION.get(extname(name).toLowerCase());
  if (known) return known;
  const program = text !== undefined && mayBeScript(path) ? programOf(text) : undefined;
  return program === undefined ? undefined : ALL_LANGUAGES.find((one) => one.program?.test(program));
}

/** The rules for the names in a file; those of a file whose name does not tell its language are the most careful. */
export function familyOf(file: string): Family {
  return languageOf(file)?.family ?? NO_FAMILY;
}
