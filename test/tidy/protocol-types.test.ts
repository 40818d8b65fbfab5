import { expectTypeOf, it } from 'vitest';
import type * as Explorer from '../../src/protocol/explorer';
import type * as Values from '../../src/protocol/tool-values';
import type { ThenAndNow } from '../../src/server/code/then-and-now';
import type { NodeHistory } from '../../src/server/memory/history/node-history';
import type { MARKS } from '../../src/server/memory/marks';
import type { Chronicle } from '../../src/server/memory/people/chronicle';
import type { NamespaceCounts } from '../../src/server/memory/people/namespace-counts';
import type { Neighbourhood } from '../../src/server/memory/people/neighbourhood';
import type { Background } from '../../src/server/memory/people/node-background';
import type { NodeDetails, NodeReference, NodeSummary } from '../../src/server/memory/people/node-details';
import type { NearDuplicatePair, ReviewEntry } from '../../src/server/memory/people/review';
import type { Reason } from '../../src/server/memory/recall/recall';
import type { HeldSession } from '../../src/server/memory/sessions/held-sessions';
import type { PackedMemories, PackedMemory } from '../../src/server/render/packed-memories';

/** Does not compile where a value of the server is not what the editor takes it for. */
type Read<AsTheEditor, Value extends AsTheEditor> = Value;

type Answers = [
  Read<Values.NodeReference, NodeReference>,
  Read<Values.NodeSummary, NodeSummary>,
  Read<Values.NodeDetails, NodeDetails & Background>,
  Read<Values.NamespaceCounts, NamespaceCounts>,
  Read<Values.NodeHistory, NodeHistory>,
  // The tool adds the sentence.
  Read<Values.ReviewEntry, ReviewEntry & { readonly change: string }>,
  Read<Values.NearDuplicatePair, NearDuplicatePair>,
  Read<Values.HeldSession, HeldSession>,
  Read<Values.ComparedSymbol, ThenAndNow>,
  Read<Explorer.Chronicle, Chronicle>,
  Read<Explorer.Neighbourhood, Neighbourhood>,
  Read<Values.Mark, (typeof MARKS)[number]>,
  Read<Values.Reason, Reason>,
  Read<Values.RecalledMemory, PackedMemory>,
  Read<Values.RecalledMemories, PackedMemories>,
];

it('answers of the server are what the editor takes them for, which the compiler checks', () => {
  expectTypeOf<Answers>().not.toBeAny();
});
