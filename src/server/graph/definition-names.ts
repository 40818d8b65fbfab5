/** What definitions are called. */

/** `[Symbol.iterator]`, `[key]`; Ruby's `[]` and `[]=`. */
const COMPUTED_NAME = /^\[[\w$.]*\]=?$/;
const QUOTES = /^(['"`])(.*)\1$/;
const OPERATOR = /(?:^|::\s*)operator(?![\w$])([\s\S]*)$/;

/** More of a name is not looked at. */
const LONGEST = 1_000;

/** `Foo::bar` and `a.b.c` have several; `'quoted'`, `[Symbol.iterator]`, `X<a::b>`, `(a::b, c)` and `operator a::b` are one. */
export function partsOf(written: string): string[] {
  const name = written.slice(0, LONGEST);
  const quoted = QUOTES.exec(name)?.[2];
  // What is computed may hold anything.
  if (name.startsWith('[')) return [COMPUTED_NAME.test(name) ? name : '[…]'];
  if (quoted !== undefined) return [quoted];
  // A tuple.
  if (name.startsWith('(')) return [closedUp(name)];
  const operator = OPERATOR.exec(name);
  if (operator) return [...partsOf(name.slice(0, operator.index)), operatorName(operator[1] ?? '')];
  return (name.includes('<') ? outsideOfArguments(name) : name.split(/::|\\|\./))
    .map((part) => part.trim().replace(BEFORE_NAME, ''))
    .filter((part) => part !== '');
}

/** What a macro that stands before a definition makes of its type: `basic_json from_cbor`, `Rows<T> made`. */
const BEFORE_NAME = /^.*[\w>*&] ?(?<=[ >*&])(?=~?\w+(?:<.*>)?$)/s;

/** `operator==`, `operator()`, `operator new`, `operator a::B` without its parameters. */
function operatorName(symbol: string): string {
  const written = symbol.trim();
  if (/^[\w:]/.test(written)) return `operator ${closedUp(written.replace(/\s*\([\s\S]*$/, ''))}`;
  return `operator${written.replace(/\s/g, '')}`;
}

/** At each `::` that stands in no arguments of a template. */
function outsideOfArguments(name: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const piece of closedUp(name).split(/(::|[<>])/)) {
    if (piece === '<') depth += 1;
    else if (piece === '>') depth -= 1;
    if (piece === '::' && depth === 0) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

/** Without the spaces that a formatter may put there. */
function closedUp(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/ ?([<>,:*&()[\]]) ?/g, '$1');
}

const NAMES = /^[\w$]+(?:\.[\w$]+)*$/;

/**
 * What a method or a function that is assigned belongs to, as it is called: `res` of `res.send = …`, `exports` of
 * `module.exports.open = …`, `Store` of `Store.prototype.open = …`.
 * @returns undefined for the object itself and for what has no name
 */
export function ownerOf(receiver: string | undefined): string | undefined {
  if (receiver === undefined || !NAMES.test(receiver) || receiver === 'this') return undefined;
  return receiver.replace(/^(?:module|this)\.(?=.)/, '').replace(/\.prototype$/, '');
}

const ASSIGNED = /^([\w$.]+)\.([\w$]+) =/;

/** How many names before its own a function has from what it was assigned to. @param signature its own */
export function assignedTo(name: string, signature: string): number {
  const assigned = ASSIGNED.exec(signature);
  if (assigned?.[2] !== name) return 0;
  return ownerOf(assigned[1])?.split('.').length ?? 0;
}
