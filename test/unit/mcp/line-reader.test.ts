import { expect, test } from 'vitest';
import { LineReader } from '../../../src/server/mcp/line-reader';

function read(chunks: readonly Buffer[], maxLine = 1_000): { lines: string[]; tooLong: number } {
  const result = { lines: [] as string[], tooLong: 0 };
  const reader = new LineReader({
    maxLine,
    onLine: (line) => result.lines.push(line),
    onTooLong: () => {
      result.tooLong++;
    },
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return result;
}

test('a stream gives the same lines however it is cut', () => {
  const text = Buffer.from('{"a":1}\r\n\n\r\n{"ä":"東京"}\n last without a break');
  const whole = read([text]);
  expect(whole.lines).toEqual(['{"a":1}', '{"ä":"東京"}', ' last without a break']);
  for (const size of [1, 2, 3, 7]) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
      text.subarray(i * size, (i + 1) * size),
    );
    expect(read(chunks)).toEqual(whole);
  }
});

test('a line that is too long is told once and passed over, and the next one is read', () => {
  const chunks = [
    Buffer.from('ok\n'),
    ...Array.from({ length: 50 }, () => Buffer.alloc(10, 'x')),
    Buffer.from('xx\nnext\n'),
  ];
  expect(read(chunks, 100)).toEqual({ lines: ['ok', 'next'], tooLong: 1 });
  expect(read([Buffer.alloc(101, 'x')], 100)).toEqual({ lines: [], tooLong: 1 });
  expect(read([Buffer.alloc(100, 'x')], 100).lines).toHaveLength(1);
});

test('reading a long line takes time in proportion to its length', () => {
  const chunk = Buffer.alloc(65_536, 'x');
  const timeFor = (chunks: number): number => {
    const started = performance.now();
    read([...Array.from({ length: chunks }, () => chunk), Buffer.from('\n')], Number.POSITIVE_INFINITY);
    return performance.now() - started;
  };
  timeFor(100);
  // 64 MB in 1,000 chunks; joining anew for each chunk would copy 32 GB.
  expect(timeFor(1_000)).toBeLessThan(2_000);
});
