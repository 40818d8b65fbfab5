// What an MCP server tells a person who starts it by hand.
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withCommandLine } from '../support/command-line';
import { withPlace } from '../support/stdio-client';
import { CONTROL_D, runOnTerminal } from '../support/terminal';

const dist = (name: string): string => resolve(__dirname, '../../dist', `${name}.js`);

it.each(['--version', '--help'])('svc-language-server answers %s, and ends', (option) =>
  withCommandLine(async ({ run }) => {
    const { status, out } = await run([option], { program: dist('svc-language-server') });
    expect([status, out]).toEqual([0, expect.stringMatching(/^(?:\d+\.\d+\.\d+|Usage: svc-language-server)\n/)]);
  }),
);

describe.each([
  ['svc-memory-mcp', 'the memory'],
  ['svc-mcp', 'the code graph'],
])('%s', (name, about) => {
  it.each(['--version', '-V'])('answers %s, and ends', (option) =>
    withCommandLine(async ({ run }) => {
      const { status, out, err } = await run([option], { program: dist(name) });
      expect({ status, err }).toEqual({ status: 0, err: '' });
      expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
    }),
  );

  it.each(['--help', '-h'])('answers %s, in lines of a terminal, and ends', (option) =>
    withCommandLine(async ({ run }) => {
      const { status, out, err } = await run([option], { program: dist(name) });
      expect({ status, err }).toEqual({ status: 0, err: '' });
      expect(out).toMatch(new RegExp(`^Usage: ${name}\n\nServes ${about} of the project around it`));
      expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }),
  );

  it('says at a terminal what it waits for, and goes when the terminal does', () =>
    withPlace({}, async (place) => {
      const { status, screen } = await runOnTerminal(place, dist(name), [], [['waits for a client', CONTROL_D]]);
      expect({ status, screen: screen.trim() }).toEqual({
        status: 0,
        screen: expect.stringMatching(new RegExp(`^${name}: this speaks MCP, and waits for a client; "--help" tells`)),
      });
    }));
});
