/**
 * Irregular English forms that no stemmer joins: each form → the form it is filed under. Compound forms ("rewrote",
 * "overcame") are found through their last part.
 */
const FORMS = `
be: am is are was were been being; have: has had having; do: does did done doing; go: goes went gone;
arise: arose arisen; awake: awoke awoken; bear: bore borne; beat: beaten; become: became; begin: began begun;
bend: bent; bind: bound; bite: bit bitten; bleed: bled; blow: blew blown; break: broke broken; breed: bred;
bring: brought; build: built; burn: burnt; buy: bought; catch: caught; choose: chose chosen; cling: clung; come: came;
creep: crept; deal: dealt; dig: dug; draw: drew drawn; dream: dreamt; drink: drank drunk; drive: drove driven;
eat: ate eaten; fall: fell fallen; feed: fed; feel: felt; fight: fought; find: found; flee: fled; fly: flew flown;
forbid: forbade forbidden; forget: forgot forgotten; forgive: forgave forgiven; freeze: froze frozen; get: got gotten;
give: gave given; grind: ground; grow: grew grown; hang: hung; hear: heard; hide: hid hidden; hold: held; keep: kept;
kneel: knelt; know: knew known; lay: laid; lead: led; lean: leant; leap: leapt; learn: learnt; leave: left; lend: lent;
lie: lain; light: lit; lose: lost; make: made; mean: meant; meet: met; mistake: mistook mistaken; pay: paid;
prove: proven; ride: rode ridden; ring: rang rung; rise: rose risen; run: ran; say: said; see: saw seen; seek: sought;
sell: sold; send: sent; sew: sewn; shake: shook shaken; shine: shone; shoot: shot; show: shown; shrink: shrank shrunk;
sing: sang sung; sink: sank sunk; sit: sat; sleep: slept; slide: slid; sow: sown; speak: spoke spoken; speed: sped;
spell: spelt; spend: spent; spill: spilt; spin: spun; spring: sprang sprung; stand: stood; steal: stole stolen;
stick: stuck; sting: stung; strike: struck stricken; strive: strove striven; swear: swore sworn; sweep: swept;
swell: swollen; swim: swam swum; swing: swung; take: took taken; teach: taught; tear: tore torn; tell: told;
think: thought; throw: threw thrown; tread: trod trodden; understand: understood; wake: woke woken; wear: wore worn;
weave: wove woven; weep: wept; win: won; wind: wound; withdraw: withdrew withdrawn; write: wrote written;
child: children; man: men; woman: women; person: people; foot: feet; tooth: teeth; goose: geese; mouse: mice;
life: lives; wife: wives; knife: knives; leaf: leaves; half: halves; shelf: shelves; self: selves; wolf: wolves;
index: indices indexes; vertex: vertices; matrix: matrices; criterion: criteria; datum: data; schema: schemata;
analysis: analyses; hypothesis: hypotheses; axis: axes; good: better best; bad: worse worst; far: further farther
`;

const PREFIXES = /^(?:re|over|out|under|up|off|un)(?=.{3})/;

const filed = new Map<string, string>();
for (const entry of FORMS.split(';')) {
  const [base = '', forms = ''] = entry.split(':');
  for (const form of forms.trim().split(/\s+/)) filed.set(form, base.trim());
}

/** The base form of an irregular one ("wrote" → "write", "rebuilt" → "rebuild"); undefined for every other word. */
export function irregularBase(word: string): string | undefined {
  const direct = filed.get(word);
  if (direct !== undefined) return direct;
  const prefix = PREFIXES.exec(word)?.[0];
  const rest = prefix === undefined ? undefined : filed.get(word.slice(prefix.length));
  return rest === undefined ? undefined : `${prefix}${rest}`;
}
