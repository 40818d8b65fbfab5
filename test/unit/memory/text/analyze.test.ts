import { describe, expect, it } from 'vitest';
import { analyze, foldName, stem } from '../../../../src/server/memory/text/analyze';
import { HOSTILE_TEXTS } from '../../../support/hostile-texts';

const words = (text: string): string => analyze(text).words.join(' ');
const stems = (text: string): string => analyze(text).stems.join(' ');

describe('the words of a text', () => {
  it.each([
    ['Use WAL mode!', 'use wal mode'],
    ['getUserName', 'getusername get user name'],
    ['parseHTTPRequest2', 'parsehttprequest2 parse http request2'],
    ['max_retry_count', 'maxretrycount max retry count'],
    ['__init__', 'init'],
    ['src/login-page.ts', 'src login page ts'],
    ["Anna's dog doesn’t bark", 'anna dog doesnt bark'],
    ['C++ and C# but not C', 'cplusplus and csharp but not c'],
    ['v1.2.3', 'v1 2 3'],
    ['Crème brûlée, Ångström', 'creme brulee angstrom'],
    ['Ｆｕｌｌ ｗｉｄｔｈ ﬁle', 'full width file'],
    ['straße STRASSE', 'straße strasse'],
    ['Ёлка и Μαΐου', 'елка и μαιου'],
    ['数据库', '数 据 库 数据 据库'],
    ['使用SQLite存储', '使 用 使用 sqlite sq lite 存 储 存储'],
    ['データ', 'デ ー タ デー ータ'],
    ['데이터베이스', '데이터베이스'],
    ['नमस्ते', 'नमस्ते'],
    ['🚀 costs 5 €', '🚀 costs 5 €'],
    ['', ''],
    [' \n\0…—"\'', ''],
  ])('%j', (text, expected) => {
    expect(words(text)).toBe(expected);
  });

  it('end at 64 characters', () => {
    expect(words('x'.repeat(100))).toBe('x'.repeat(64));
  });

  it('are the same whatever way an accent is written', () => {
    expect(words('cafe\u0301')).toBe(words('caf\u00e9'));
  });

  it.each(HOSTILE_TEXTS.map((text) => [text.slice(0, 30), text] as const))(
    'hold nothing that the full-text index would take for its own syntax or a separator: %j',
    (_, text) => {
      const terms = analyze(text);
      for (const term of [...terms.words, ...terms.stems]) {
        expect(term).toMatch(/^(?:[a-z0-9]|\P{ASCII})+$/u);
        expect(term).not.toMatch(/\s/);
      }
    },
  );
});

describe('the stems of a text', () => {
  it('stand beside the words that differ from them', () => {
    expect(stems('the databases were migrated')).toBe('databas be migrat');
    expect(stems('use it')).toBe('');
  });

  it.each([
    ['wrote', 'write'],
    ['written', 'writing'],
    ['rewrote', 'rewrites'],
    ['overcame', 'overcome'],
    ['children', 'child'],
    ['indices', 'index'],
    ['migrations', 'migrating'],
    ['ran', 'running'],
    ['built', 'builds'],
  ])('file %s with %s', (a, b) => {
    expect(stem(a)).toBe(stem(b));
  });

  it('are those of words of up to 20 letters: what is longer is a name', () => {
    expect(stem('internationalization')).toBe(stem('internationalizing'));
    expect(stem('internationalizations')).toBe('internationalizations');
  });

  it.each([
    ['run', 'rung'],
    ['undo', 'do'],
  ])('keep %s apart from %s', (a, b) => {
    expect(stem(a)).not.toBe(stem(b));
  });

  it('leave short words, digits and other scripts as they are', () => {
    for (const word of ['as', 'v12', 'données', 'базы', '数据']) expect(stem(word)).toBe(word);
  });
});

describe('names', () => {
  it.each([
    ['Payment Service', ' payment   SERVICE\n'],
    ['Café', 'CAFE'],
    ['ＡＢＣ', 'abc'],
    ['a\u0000b', 'a b'],
  ])('%j and %j are the same', (a, b) => {
    expect(foldName(a)).toBe(foldName(b));
  });

  it.each([
    ['PaymentService', 'Payment Service'],
    ['a.ts', 'a ts'],
    ['C', 'C++'],
    ['が', 'か'],
  ])('%j and %j are not', (a, b) => {
    expect(foldName(a)).not.toBe(foldName(b));
  });
});
