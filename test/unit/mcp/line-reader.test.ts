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

test('a long line is whole, however many chunks it arrives in and wherever they cut a character', () => {
  const bytes = Buffer.from(`${'漢🦆x'.repeat(1_000)}\r\n`);
  const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(i * 7, i * 7 + 7));
  expect(read(chunks, 100_000).lines).toEqual([bytes.toString().trimEnd()]);
});

test('the bytes of a long line are given back before it is handed on, and those of one that is too long', () => {
  const kept: number[] = [];
  const reader: LineReader = new LineReader({
    maxLine: 30_000_000,
    onLine: () => kept.push(reader.keptBytes),
    onTooLong: () => kept.push(reader.keptBytes),
  });
  const chunk = Buffer.alloc(1_000_000, 'x');
  for (const chunks of [20, 31]) {
    for (let i = 0; i < chunks; i++) reader.push(chunk);
    if (chunks === 20) expect(reader.keptBytes).toBe(20_000_000);
    reader.push(Buffer.from('\n'));
  }
  expect(kept).toEqual([0, 0]);
});
