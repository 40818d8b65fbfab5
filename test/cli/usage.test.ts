import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { commandName } from '../../src/server/cli/parameters';
import { MEMORY_TOOLS } from '../../src/server/tools/registry';
import { OBEYED, PROGRAM_FILE, runInShell, withCommandLine } from '../support/command-line';

/** Generated from the same program; test/tidy/docs.test.ts keeps it current. */
const HELP_PAGE = readFileSync(resolve(__dirname, '../../docs/cli.md'), 'utf8');

test('the help shows every command by group, in 80 columns, and opens no store', async () => {
  await withCommandLine(async ({ ok, run, folder, home }) => {
    const help = await ok('--help');
    expect(HELP_PAGE).toContain(help.trimEnd());
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    // People settle with "review".
    for (const { name } of MEMORY_TOOLS.filter((tool) => tool.name !== 'settle'))
      expect(help).toMatch(new RegExp(`^  ${commandName(name)} `, 'm'));
    expect((await run(['help'])).out).toBe(help);
    expect([...readdirSync(folder), ...readdirSync(home)]).toEqual([]);
  });
});

test('a command has a help of its own, with its parameters, their values and defaults, and examples', async () => {
  await withCommandLine(async ({ ok }) => {
    const help = await ok('recall', '--help');
    expect(HELP_PAGE).toContain(help.trimEnd());
    for (const part of ['--budget-tokens', 'at least 50; default: 500', 'procedure, preference, entity', 'Examples:']) {
      expect(help.replaceAll(/\s+/g, ' ')).toContain(part);
    }
    expect(await ok('help', 'recall')).toBe(help);
  });
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(resolve(__dirname, '../../package.json'), 'utf8'));
  await withCommandLine(async ({ ok }) => expect(await ok('--version')).toBe(`${version}\n`));
});

const WRONG_USAGE: readonly (readonly [string, string[], string])[] = [
  [
    'an unknown command',
    ['recal'],
    'usage: unknown command "recal". Did you mean recall? "svc-memory --help" tells more.',
  ],
  [
    'a command that other programs have',
    ['remember', 'x'],
    'usage: unknown command "remember". Did you mean store? "svc-memory --help" tells more.',
  ],
  [
    'an unknown option',
    ['recall', 'x', '--budget-token', '9'],
    'usage: unknown option "--budget-token". Did you mean --budget-tokens? "svc-memory recall --help" tells more.',
  ],
  [
    'the words of an option in another order',
    ['store', 'x', '--kind', 'decision', '--rejected-alternatives', 'y'],
    'usage: unknown option "--rejected-alternatives". Did you mean --alternatives-rejected? "svc-memory store --help" tells more.',
  ],
  ['a missing argument', ['recall'], 'usage: <query> is missing. "svc-memory recall --help" tells more.'],
  [
    'a missing required option',
    ['store', 'x'],
    'usage: the option --kind <kind> is missing. "svc-memory store --help" tells more.',
  ],
  [
    'words to store without quotes',
    ['store', 'why', 'sqlite', '--kind', 'fact'],
    'usage: too many arguments for "store". Expected 1 argument but got 2: why, sqlite. Put text of several words in quotes. "svc-memory store --help" tells more.',
  ],
  [
    'a word for a number',
    ['recall', 'x', '--hops', 'two'],
    'usage: --hops is "two". It must be a number. "svc-memory recall --help" tells more.',
  ],
  [
    'an unknown choice',
    ['store', 'x', '--kind', 'idea'],
    'usage: --kind is "idea". It must be one of fact, decision, action, outcome, procedure, preference. "svc-memory store --help" tells more.',
  ],
  [
    'a choice with a letter too few',
    ['store', 'x', '--kind', 'decison'],
    'usage: --kind is "decison". Did you mean decision? "svc-memory store --help" tells more.',
  ],
  [
    'a source with a letter too many',
    ['import', '--from', 'adrs'],
    'usage: --from is "adrs". Did you mean adr? "svc-memory import --help" tells more.',
  ],
  [
    'the first letter of an option',
    ['recall', 'x', '-k', 'fact'],
    'usage: unknown option "-k". Did you mean --kinds? "svc-memory recall --help" tells more.',
  ],
  [
    'an unknown choice by position',
    ['verify', 'f_x', 'maybe'],
    'usage: <status> is "maybe". It must be one of confirm, refute. "svc-memory verify --help" tells more.',
  ],
  [
    'an argument given twice',
    ['recall', 'x', '--query', 'y'],
    'usage: <query> is given twice, by position and as --query. "svc-memory recall --help" tells more.',
  ],
  [
    'help on nothing',
    ['help', 'nothing'],
    'usage: there is no command "nothing" to help with. "svc-memory --help" tells more.',
  ],
  [
    'text that begins with a dash',
    ['recall', '-why'],
    'usage: unknown option "-why". Put -- before text that begins with a dash. "svc-memory recall --help" tells more.',
  ],
];

test.each(WRONG_USAGE)('%s ends with status 2 and one sentence on standard error', async (_, args, message) => {
  await withCommandLine(async ({ run, folder, home }) => {
    expect(await run(args)).toEqual({ status: 2, out: '', err: `${message}\n` });
    expect([...readdirSync(folder), ...readdirSync(home)]).toEqual([]);
  });
});

test('the words of a question need no quotes', async () => {
  await withCommandLine(async ({ run }) => {
    const { status, out } = await run(['recall', 'how', 'does', 'open', '--budget-tokens', '100', 'wait']);
    // Nothing is remembered.
    expect([status, out]).toEqual([1, expect.stringContaining('"how does open wait"')]);
  });
});

test('what the tool takes for wrong usage ends with status 2, in the words of the command line', async () => {
  await withCommandLine(async ({ run }) => {
    expect(await run(['recall', 'x', '--budget-tokens', '10'])).toEqual({
      status: 2,
      out: '',
      err: 'invalid_input: --budget-tokens must be at least 50. "svc-memory recall --help" tells more.\n',
    });
    expect((await run(['verify', 'f_nothere', 'confirm'])).err).toBe(
      'not_found: There is no memory "f_nothere" (parameter <node-id>) in this namespace. Use an id in square brackets from recall or timeline.\n',
    );
    expect((await run(['forget'])).err).toBe(
      'invalid_input: forget was called without a selector. Give <node-id>, --entity or --before.\n',
    );
    // What was typed stays as it was typed, whatever it is called.
    expect((await run(['verify', 'memory_recall node_id', 'confirm'])).err).toContain(
      'There is no memory "memory_recall node_id" (parameter <node-id>)',
    );
  });
});

test('says into which file a memory was put', async () => {
  await withCommandLine(async ({ ok, json }) => {
    await ok('init');
    const { node_id } = await json<{ node_id: string }>('store', 'One file', '--kind', 'decision');
    await ok('share', node_id);
    expect(await ok('store', 'Two files', '--kind', 'decision', '--supersedes', node_id)).toMatch(
      /^Stored d_\w+ \(decision\), in \.svc\/memories\/two-files-\w+\.md\n$/,
    );
  });
});

test('what is stored and forgotten is told in a sentence, and what is not there is status 1', async () => {
  await withCommandLine(async ({ ok, run, json }) => {
    await ok('init');
    const stored = await run([
      'store',
      'One file',
      '--kind',
      'decision',
      '--entities',
      'Store',
      '--entities',
      'SQLite',
    ]);
    expect(stored).toMatchObject({ status: 0, err: '' });
    expect(stored.out).toMatch(/^Stored d_\w+ \(decision\) on Store, SQLite\n$/);
    const again = await run(['store', 'one file.', '--kind', 'decision', '--entities', 'Store']);
    expect(again.out).toMatch(/^Already stored as d_\w+ \(decision\) on Store\n$/);
    expect((await ok('list-sessions')).split('\n')[1]).toMatch(/ One file$/);
    for (const args of [
      ['about', 'Nobody'],
      ['why', 'zzz'],
      ['timeline', 'zzz'],
      ['graph', 'zzz'],
      ['for-code', 'a.ts'],
    ]) {
      const { status, out } = await run(args);
      expect([args[0], status, out.length > 0]).toEqual([args[0], 1, true]);
    }
    await ok('end-session', 'Stored one decision');
    expect(await run(['end-session', 'Once more'])).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^conflict: .* was ended at/),
    });
    expect(await run(['forget', '--entity', 'Nobody'])).toEqual({
      ...{ status: 1, out: '', err: 'not_found: There is no memory about "Nobody".\n' },
    });
    expect(await run(['clear-session', 's_nothere'])).toMatchObject({
      status: 1,
      err: expect.stringContaining('"s_nothere"'),
    });
    const [session] = await json<{ id: string }[]>('list-sessions');
    expect(await ok('clear-session', session?.id ?? '')).toMatch(
      /^Forgotten: 2 memories and 1 session \(s_\w+, d_\w+, o_\w+\)\n$/,
    );
    expect(await ok('list-sessions')).toBe('none\n');
  });
});

test('shells complete commands, options and values', async () => {
  await withCommandLine(async (place) => {
    const asked = [
      ['svc-memory rec', 'recall'],
      ['svc-memory recall --budget', '--budget-tokens'],
      ['svc-memory recall --kinds dec', 'decision'],
      ['svc-memory verify d_x con', 'confirm'],
      ['svc-memory import --from claude-mem', 'claude-memory claude-mem'],
      ['svc-memory --ver', '--version'],
    ];
    const lines = asked.map(
      ([typed]) =>
        `COMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _svc_memory; echo "\${COMPREPLY[*]}"`,
    );
    const script = ['eval "$("$0" "$1" completion bash)"', ...lines].join('\n');
    expect(await runInShell(place, script, 'bash')).toEqual({
      ...{ status: 0, err: '', out: asked.map(([, found]) => `${found}\n`).join('') },
    });
    expect(await place.ok('completion', 'zsh')).toMatch(
      /^#compdef svc-memory\n[\s\S]*'recall:[\s\S]*compdef _svc_memory svc-memory\n$/,
    );
    const fish = await place.ok('completion', 'fish');
    expect(fish).toContain("-n '__fish_seen_subcommand_from recall' -l kinds -x -a 'fact decision");
    expect((await place.run(['completion', 'bsh'])).err).toContain('Did you mean bash?');
    const svc = await place.run(['completion', 'fish'], { program: PROGRAM_FILE.replace('svc-memory', 'svc') });
    expect(svc.out).toContain('complete -c svc -n __fish_use_subcommand -f -a build');
  });
});

test('control characters in what was typed do not come back raw', async () => {
  await withCommandLine(async ({ run }) => {
    for (const args of [['\u001b[31mred\nx'], ['recall', 'x', '--\u001b]0;title\u0007'], ['store', '\u009b31m', 'y']]) {
      const { status, err } = await run(args);
      expect(status).toBe(2);
      expect(err.slice(0, -1)).not.toMatch(OBEYED);
    }
  });
});
