import { count, type Goal, percent } from './goals';
import type { HistoryQuality } from './histories/measure';
import { table } from './table';

/** Of all verdicts. */
const FALSE_ALARMS = 0.001;
/** Of what `check` names, and of what it should name. */
const CHECK = 0.99;
/** Of the functions that stand elsewhere under their simple name. */
const LOST = 0.02;

export function historyGoals(histories: readonly HistoryQuality[] | undefined): Goal[] {
  if (!histories || histories.length === 0) return [];
  const sum = (of: (one: HistoryQuality) => number): number => histories.reduce((all, one) => all + of(one), 0);
  const verdicts = sum((one) => one.verdicts);
  const none = (what: string, found: number): Goal => ({
    ...{ what: `released packages: ${what}`, goal: '0', measured: `${count(found)} of ${count(verdicts)}` },
    reached: found === 0,
  });
  const share = (what: string, found: number, all: number, goal: number): Goal => ({
    ...{ what: `released packages: ${what}`, goal: `≤ ${percent(goal)}`, measured: `${count(found)} of ${count(all)}` },
    reached: found <= goal * all,
  });
  const inPlace = sum(({ outcomes, lostElsewhere }) => (outcomes.lost ?? 0) - lostElsewhere);
  return [
    none(
      'said to be unchanged, and was not',
      sum(({ outcomes }) => outcomes['silently wrong'] ?? 0),
    ),
    none(
      'on another function',
      sum(({ outcomes }) => outcomes['wrong place'] ?? 0),
    ),
    share(
      'called changed or gone, and was not',
      sum(({ outcomes }) => outcomes['false alarm'] ?? 0),
      verdicts,
      FALSE_ALARMS,
    ),
    none('lost in its own place', inPlace),
    share(
      'lost where it went',
      sum(({ lostElsewhere }) => lostElsewhere),
      sum((one) => one.stoodElsewhere),
      LOST,
    ),
    none(
      'other verdicts on another way to the same release',
      sum(({ flips }) => flips),
    ),
    ...checkGoals(sum),
  ];
}

const CHECK_HEADS = ['`check` named rightly', 'wrongly', 'not named'];

function checkGoals(sum: (of: (one: HistoryQuality) => number) => number): Goal[] {
  const named = sum((one) => one.named);
  const of = (what: string, all: number): Goal => ({
    ...{ what: `released packages: \`check\`, ${what}`, goal: `≥ ${percent(CHECK)}` },
    measured: `${count(named)} of ${count(all)}`,
    reached: named >= CHECK * all,
  });
  return [
    of('rightly named of all that it names', named + sum((one) => one.wronglyNamed)),
    of('named of all that changed', named + sum((one) => one.unnamed)),
  ];
}

const HOW = [
  'Each release is a commit. Memories are on functions that a seed chooses, at a release of the first third and at one of the',
  "last. The MCP server is asked at each release, on seven ways with and without builds, and in new work trees. TypeScript's own",
  'parser says which functions stand in a release, and with which tokens. Silently wrong: another text is called unchanged or',
  'moved. False alarm: the same text stands in its place, comments included. Lost: it still stands in its place or, alone of its',
  'simple name and with a third of its words, in a new one. Flip: another answer at the same release. `check` is asked at each',
  'release what changed since the one before, without builds and with. `--verbose` names all that is not right.',
  '',
];

export function historyFigures(histories: readonly HistoryQuality[] | undefined, verbose: boolean): string[] {
  if (!histories || histories.length === 0) return [];
  const rows = histories.map((one) => {
    const of = (outcome: keyof HistoryQuality['outcomes']): string => count(one.outcomes[outcome] ?? 0);
    const went = `${count(one.lostElsewhere)} of ${count(one.stoodElsewhere)}`;
    const wrong = [of('silently wrong'), of('wrong place'), of('false alarm'), of('lost'), went, of('not judged')];
    return [
      one.package,
      count(one.releases),
      count(one.memories),
      count(one.verdicts),
      count(one.doubts),
      ...wrong,
      count(one.flips),
      count(one.named),
      count(one.wronglyNamed),
      count(one.unnamed),
    ];
  });
  const heads = [
    'package',
    'releases',
    'memories',
    'verdicts',
    'of them doubts',
    'silently wrong',
    'wrong place',
    'false alarms',
  ];
  const told = histories.flatMap((one) => [...one.disagreements, ...one.unlinked.map((name) => `no link: ${name}`)]);
  return [
    '## Memories on the code of released packages',
    '',
    ...table([...heads, 'lost', 'of those that went elsewhere', 'not judged', 'flips', ...CHECK_HEADS], rows),
    ...HOW,
    ...(verbose ? [...told.map((line) => `- ${line}`), ''] : []),
  ];
}
