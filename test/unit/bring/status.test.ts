import { expect, test } from 'vitest';
import { statusIn, supersededIn } from '../../../src/server/bring/adr/status';

test.each([
  'Accepted - Deprecated in 2023',
  'Accepted, but deprecated since 2023',
  'Accepted\n\nThis decision is deprecated.',
  'Accepted / Deprecated',
  'Accepted/Deprecated',
  'Accepted. Has been retired.',
  'Accepted but deprecated',
  'Accepted, and now deprecated',
  'Accepted and later abandoned',
  'Accepted in 2019 but deprecated in 2023',
  'Accepted (2019), deprecated (2023)',
  'Accepted. It is now obsolete.',
  'Accepted. This ADR has since been withdrawn.',
  'Accepted. This record was archived in 2024.',
  'Accepted - no longer in use',
  'Accepted; no longer relevant.',
  '**Accepted** - **Deprecated**',
  'Accepted -- deprecated',
  'Accepted\n\n_Deprecated May 2024_',
  'Accepted\n\n> Deprecated since v2',
  'Accepted, since retired',
  'Accepted. Now it is deprecated.',
  'Approved, however it is no longer valid',
  'Implemented - retired Q3 2024',
  'Accepted. The decision was reversed in 2022.',
  'Accepted: 2020-01-01\nDeprecated: 2023-01-01',
  'Accepted. Is deprecated.',
  'Accepted. Deprecated, see ADR-7',
  'Accepted (deprecated)',
  'Accepted 2020-01-01 - deprecated 2023-01-01',
  'Accepted → Deprecated',
  'Accepted. But has been abandoned again.',
  'accepted, deprecated because of costs',
])('what was accepted first and is over by now is closed: %j', (status) => {
  expect(statusIn(status)).toEqual({ is: 'deprecated' });
});

test.each([
  'Accepted - rejected in 2023',
  'Accepted, but rejected later by the board',
  'Accepted → Rejected',
  'Accepted. Has since been rejected.',
])('what was accepted first and rejected since is rejected: %j', (status) => {
  expect(statusIn(status)).toEqual({ is: 'rejected' });
});

test.each([
  'Accepted. We rejected Kafka',
  'Accepted. Deprecated calls stay for a year.',
  'Accepted - deprecated endpoints stay',
  'Accepted. It rejected Kafka.',
  'Accepted. It deprecated the old API.',
  'Accepted. This will be deprecated in 2030.',
  'Accepted, to be retired in 2030',
  'Accepted. Not deprecated.',
  'Accepted, but not deprecated',
  'Accepted. It was rejected at first.',
  'Accepted until it is deprecated',
  'Accepted. Redis is deprecated.',
  'Accepted after Kafka was tried but rejected Kafka',
  'Accepted. The old way is deprecated.',
  'Accepted. Was never deprecated.',
  'Accepted. We tried Kafka, then abandoned it.',
  'Accepted - replaces the deprecated API',
  'Accepted / Implemented',
  'Accepted but not implemented',
  'Accepted. Kafka was tried but rejected.',
  'Accepted. Which calls are deprecated is said below.',
  'Accepted; the wiki is no longer used',
  'Accepted - 2023-01-01',
  'Accepted (Ada - Grace)',
  'Accepted. This is a deprecated way.',
  'Accepted. Dropped calls are logged.',
  'Accepted. This deprecates ADR-1',
  'Accepted. No longer a draft.',
  'Accepted, may be deprecated',
  'Accepted. It is not yet deprecated',
  'Accepted for deprecated devices',
  'Accepted/implemented',
  'Accepted if deprecated',
  'Accepted. ADR-12 is deprecated',
  'Accepted. Replaces the wiki, which is deprecated.',
  'Accepted, see docs/archived/0001.md',
  'Accepted https://x.org/deprecated/a',
])('what only tells of something that is over holds: %j', (status) => {
  expect(statusIn(status)).toEqual({ is: 'accepted' });
});

test.each(['Proposed / Accepted / Deprecated', 'Accepted/Rejected/Superseded'])(
  'a template that nobody has filled in is not decided: %j',
  (status) => {
    expect(statusIn(status)).toEqual({ is: 'undecided' });
  },
);

test.each([
  'Accepted. Superseded in part by ADR-4',
  'Accepted\n\nSuperseded by [ADR 4](0004-x.md) in part',
  'Superseded by ADR-4 (in part)',
  'Superseded by ADR-4, partially',
  'Superseded (in part) by ADR-4',
  'Partly superseded by [4](0004.md).',
  'Parts are superseded by ADR-4',
  'Parts of this were replaced by ADR-4',
  'Accepted (parts superseded by ADR-4)',
  'Accepted - parts superseded by ADR-4',
  'Section 3 is superseded by ADR-4',
  'Accepted. Some sections have been superseded by ADR-4.',
  'The part about caching was superseded by ADR-4',
  'Mostly superseded by ADR-4',
  'Superseded by ADR-4, except for tests',
  'Accepted; in large part superseded by ADR-4',
  'Accepted but parts of it superseded by ADR-4',
  'Most of this has been replaced by [4](0004.md)',
  'Partially superseded',
  'Superseded in parts by ADR-4',
  'Superseded by [Use parts of Redis](0004.md) in part',
  '§ 2 superseded by ADR-4',
  'Superseded partially by ADR-4: Use Redis',
])('what was superseded in part holds: %j', (status) => {
  expect(statusIn(status)).toEqual({ is: 'accepted' });
});

test.each([
  ['Superseded by ADR-4 as part of the move', '4'],
  ['Superseded by ADR-4, partly because of its cost', '4'],
  ['Superseded by ADR-4: Use Redis in part', '4'],
  ['Superseded by ADR-4', '4'],
  ['Superseded by ADR-4 (section 3)', '4'],
  ['Superseded by ADR-4, the partially built one', '4'],
  ['As part of the move superseded by ADR-4', '4'],
  ['Superseded by:\nADR-4: Use X', '4'],
  ['Superseded by:\n\nADR 4: Use X', '4'],
  ['**Superseded by:**\n- ADR-4: Use X', '4'],
  ['All parts are superseded by ADR-4', '4'],
  ['Superseded by [4. Parts of Redis](0004.md)', '0004.md'],
  ['Superseded by [4. Use Redis in part](0004.md)', '0004.md'],
  ['Superseded by [Section caches](0004.md)', '0004.md'],
])('what was superseded as a whole is closed: %j', (status, by) => {
  expect(statusIn(status)).toEqual({ is: 'superseded', by: [by] });
});

test.each([
  'replaces [ADR 1](0001-x.md) in part',
  'Supersedes parts of [ADR 3](0003-x.md)',
  'Supersedes section 2 of [ADR 3](0003.md)',
  'Supersedes sections 2 and 3 of [ADR 3](0003.md)',
  'Supersedes §2 of [ADR 3](0003.md)',
  'Supersedes the caching section of [ADR 3](0003.md)',
  'Supersedes [ADR 3](0003.md) (section 2)',
  'Supersedes [ADR 3](0003.md), section 2',
  'Supersedes [ADR 3](0003.md), sections 1–2',
  'Supersedes [ADR 3](0003.md) (partially)',
  'Supersedes: parts of [ADR 3](0003.md)',
  'Supersedes some of [ADR 3](0003.md)',
  'Replaces the first half of [ADR 3](0003.md)',
  'Supersedes, in part, [ADR 3](0003.md)',
  'Supersedes partly [ADR 3](0003.md)',
  'Supersedes in part [ADR 3](0003.md)',
  'Supersedes [parts of ADR 3](0003.md)',
  'Supersedes [Section 2 of ADR 3](0003.md)',
  'Supersedes [ADR 3](0003.md) except for section 2',
  "Supersedes [ADR 3](0003.md)'s section on caching",
  'Supersedes the parts about caching in [ADR 3](0003.md)',
  'Supersedes only the last part of [ADR 3](0003.md)',
  'Supersedes:\n- [ADR 3](0003.md) (in part)',
  'Mostly supersedes [ADR 3](0003.md)',
  'Supersedes most of [ADR 3](0003.md)',
  'Supersedes the rules on caches in part 2 of [ADR 3](0003.md)',
  'Supersedes [ADR 3](0003.md) (points 1 and 2 only)',
  'In part supersedes [ADR 3](0003.md)',
  'Supersedes parts\nof [ADR 3](0003.md)',
  'Supersedes aspects of [ADR 3](0003.md)',
  'Supersedes a part of [ADR 3](0003.md)',
  'Supersedes part 2 of [ADR 3](0003.md)',
  'Supersedes the API part of [ADR 3](0003.md)',
  'Supersedes [ADR 3](0003.md) in parts.',
  'Supersedes [ADR 3](0003.md) to a large extent',
])('what it replaces in part holds: %j', (relation) => {
  expect(supersededIn(`Accepted\n\n${relation}`)).toEqual([]);
});

test.each([
  ['Supersedes ADR-3 as part of the move', '3'],
  ['Supersedes ADR-3, partly because of its cost', '3'],
  ['Supersedes ADR-3, partially supersedes ADR-1', '3'],
  ['Partially supersedes ADR-1, supersedes ADR-3', '3'],
  ['Supersedes ADR-3. Superseded in part by ADR-9', '3'],
  ['Supersedes ADR 3: Use parts of Redis', '3'],
  ['Supersedes ADR-3 in full', '3'],
  ['Supersedes ADR-3 (see section 2)', '3'],
  ['Supersedes ADR-3; in part because of cost', '3'],
  ['Supersedes ADR-3 (partially implemented)', '3'],
  ['Supersedes ADR-3 and amends parts of ADR-1', '3'],
  ['Supersedes ADR-3. Parts of ADR-1 stay.', '3'],
  ['Supersedes ADR-3\nAmends parts of ADR-1', '3'],
  ['Supersedes [3. Parts of Redis](0003.md)', '0003.md'],
  ['Supersedes [3. Use section 2](0003.md)', '0003.md'],
])('what it replaces as a whole is closed: %j', (relation, replaced) => {
  const text = `Accepted\n\n${relation}`;
  expect([statusIn(text).is, supersededIn(text)]).toEqual(['accepted', [replaced]]);
});

test.each(
  [
    ...['supersedes ', 'superseded by in part ', 'replaces parts ', 'supersedes 1,,,,', 'supersedes 1,(the the '],
    ...[
      'partly   ',
      'in part, ',
      'supersedes [[',
      'but now ',
      '- it has been ',
      'accepted/x ',
      '§',
      'as a ',
      '\n- [a]',
      '\n',
    ],
  ].flatMap((part) => ['', 'Accepted ', 'supersedes '].map((start) => start + part.repeat(200_000 / part.length))),
)('a status that is made to take long is read as fast as any (%#)', (text) => {
  expect([statusIn(text).is, supersededIn(text).length < 2]).toEqual([
    expect.stringMatching(/accepted|superseded/),
    true,
  ]);
});
