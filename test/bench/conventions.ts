const NAMED_THINGS = ['attribute', 'class', 'function', 'method', 'variable'];
const DECORATED_THINGS = ['class', 'function', 'method'];
const OTHER_CONVENTIONS: readonly (readonly [string, RegExp])[] = [
  ['try', /\btry\b.*(?:statement|block|catch|except)|try-except|exception/],
  ['assert', /assert/],
  ['docstring', /docstring/],
  ['annotation', /annotation|type hint/],
  ['comment', /\bcomments?\b/],
];
const VALUE = /'[^']{1,40}'|"[^"]{1,40}"|digit|upper|camel|snake|pascal|title case|capital/;
const NAMING = /\bnam(?:e|es|ing|ed)\b|prefix|suffix|\bstart|\bend(?:ing)?\b|includ/;

/**
 * The conventions that a paragraph of the set of conventions states, by the names that its questions have for them: what it
 * is about, and the value that it says (a quoted word, a way of writing). The set's labels are of whole talks.
 */
export function conventionsIn(paragraph: string): Set<string> {
  const found = new Set<string>();
  for (const sentence of paragraph.split(/(?<=[.!?])\s+/)) {
    const text = sentence.toLowerCase();
    const speaksOf = (thing: string): boolean => new RegExp(`\\b${thing}(?:e?s)?\\b`).test(text);
    const ofArguments = /argument|parameter/.test(text);
    if (VALUE.test(sentence) && NAMING.test(text)) {
      const isNaming = !/@|import|annotation|docstring|assert|\btry\b/.test(text);
      for (const thing of NAMED_THINGS) {
        if (isNaming && speaksOf(thing) && !(thing === 'function' && ofArguments)) found.add(thing);
      }
      if (ofArguments) found.add('function argument');
    }
    if (text.includes('@')) for (const thing of DECORATED_THINGS) if (speaksOf(thing)) found.add(`${thing} decorator`);
    if (/\bimport/.test(text) && /'[^']+'/.test(sentence)) found.add('import');
    for (const [name, words] of OTHER_CONVENTIONS) if (words.test(text)) found.add(name);
  }
  return found;
}
