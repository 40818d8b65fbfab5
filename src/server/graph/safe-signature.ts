/** Makes a signature that is safe to send. */
import { LEFT_OUT, type SignatureToken, type SignatureTokens, signatureTokens } from './signature-tokens';
import { withoutOpenEnd } from './without-open-end';

/**
 * A signature for eyes outside this machine, and for the index: name, parameters and types, and nothing that is
 * computed. It is put together from the tokens of the source: no literal, comment, attribute, value, body or argument
 * of a call is ever copied, and it ends at the first thing that cannot be told for sure.
 * @param source from the beginning of the definition on; what stands behind the signature is not looked at
 * @param language as languages.ts names it
 */
export function safeSignature(source: string, codeType: string, language: string): string {
  const state: State = { out: '', open: [], lists: 0, previous: undefined, beforeList: '', mode: '', heritage: false };
  const tokens = signatureTokens(source, language);
  const context: Context = { codeType, language, tokens, callable: !TYPES.has(codeType) };
  for (let token = tokens.next(); token; token = tokens.next()) {
    if (!take(state, context, token)) break;
  }
  return finished(state);
}

interface State {
  out: string;
  /** Brackets that are open. */
  readonly open: string[];
  /** Parameter lists that are done. */
  lists: number;
  previous: SignatureToken | undefined;
  /** What was there before the last list. */
  beforeList: string;
  mode: '' | 'lambda' | 'macro';
  /** What it builds on has begun. */
  heritage: boolean;
}

interface Context {
  readonly codeType: string;
  readonly language: string;
  readonly tokens: SignatureTokens;
  /** A function or a method. */
  readonly callable: boolean;
}

const TYPES = new Set(['class', 'interface', 'enum', 'type', 'module']);
const ECMASCRIPT = new Set(['typescript', 'tsx', 'javascript']);
const C_FAMILY = new Set(['c', 'cpp']);
const ANGLES = new Set(['typescript', 'tsx', 'java', 'c-sharp', 'cpp', 'c', 'rust']);
const DECORATED = new Set(['typescript', 'tsx', 'javascript', 'java']);
const LINE_ENDS = new Set(['ruby', 'python', 'shell']);
/** What stands before an attribute in C#, where brackets are arrays elsewhere. */
const BEFORE_ATTRIBUTE = new Set(['(', ',', '<', ']', '=']);
const ATTRIBUTES = new Set([
  ...['__attribute__', '__attribute', '__declspec', 'alignas', '_Alignas', 'noexcept', 'throw', 'asm', '__asm__'],
  ...['explicit', 'static_assert', '_Static_assert', '__extension__'],
]);
const COMPUTED = new Set(['decltype', 'typeof', '__typeof__', 'sizeof', 'alignof', 'nameof']);
const AFTER_LIST_IN_C = new Set(['const', 'volatile', 'override', 'final', 'noexcept', '&', '->']);
/** A function after `=`: how it may begin. */
const FUNCTION_VALUES = new Set(['async', 'function', 'static', 'fn', 'func', '(', '<']);
const BEFORE_TYPE = new Set([':', ',', '(', '<', '|', '&', '{', ';', '[', 'extends', 'readonly']);
const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** @returns whether to go on */
function take(state: State, context: Context, token: SignatureToken): boolean {
  const { language, tokens, callable, codeType } = context;
  const { text } = token;
  const depth = state.open.length;
  if (token.newline && depth === 0 && state.out !== '') {
    if (LINE_ENDS.has(language) || !callable || state.lists > 0) return false;
  }
  if (token.kind === 'literal') return put(state, token);
  if (token.kind === 'word') return takeWord(state, context, token);
  switch (text) {
    case '@':
      if (!DECORATED.has(language)) return true;
      if (tokens.peek()?.text === 'interface') return put(state, token);
      return skipDecorator(tokens);
    case '#':
      if (tokens.peek()?.text === '[') return skipNext(tokens);
      if (state.out !== '' || !C_FAMILY.has(language)) return false;
      state.mode = 'macro';
      return put(state, token);
    case '[':
      if (isAttribute(state, context)) {
        return skipGroup(tokens, '[');
      }
      return open(state, token);
    case '(':
      return takeRound(state, context, token);
    case '{':
      if (depth === 0) return false;
      if (ECMASCRIPT.has(language) && BEFORE_TYPE.has(state.previous?.text ?? '')) return open(state, token);
      return leaveOut(state, token, tokens);
    case '<':
      return ANGLES.has(language) && state.previous?.text !== 'operator' ? open(state, token) : put(state, token);
    case ')':
    case ']':
    case '}':
    case '>':
      return close(state, context, token);
    case '=':
      return takeValue(state, context, token);
    case ':':
      if (depth === 0 && (language === 'python' || (C_FAMILY.has(language) && state.lists > 0))) return false;
      if (depth === 0) state.heritage = true;
      if (language === 'ruby' && depth > 0) return skipDefault(state, tokens, token, ':');
      return put(state, token);
    case ';':
      if (depth === 0) return false;
      put(state, token);
      // The length of an array is computed.
      return language === 'rust' ? skipDefault(state, tokens, undefined, '') : true;
    case '=>':
      return depth > 0 || codeType === 'type' ? put(state, token) : false;
    case '->':
      return language === 'java' || language === 'ruby' ? false : put(state, token);
    case ',':
      // Other names that are declared with this one.
      if (depth === 0 && callable && state.mode !== 'lambda' && language !== 'ruby' && state.lists > 0) return false;
      return put(state, token);
    default:
      return put(state, token);
  }
}

function takeWord(state: State, { language, tokens, callable }: Context, token: SignatureToken): boolean {
  const { text } = token;
  if (C_FAMILY.has(language)) {
    if (text === 'requires') return false;
    if (ATTRIBUTES.has(text)) {
      if (tokens.peek()?.text === '(') return skipNext(tokens);
      return text === 'noexcept' || text === 'explicit' ? put(state, token) : true;
    }
  }
  if (COMPUTED.has(text) && tokens.peek()?.text === '(') {
    put(state, token);
    const opening = tokens.next();
    return opening ? leaveOut(state, opening, tokens) : false;
  }
  if (language === 'rust' && text === 'macro_rules') {
    put(state, token);
    for (let n = 0; n < 2; n++) {
      const next = tokens.next();
      if (next && next.kind !== 'literal') put(state, next);
    }
    return false;
  }
  if (text === 'operator' && C_FAMILY.has(language) && callable) {
    put(state, token);
    if (tokens.peek()?.text !== '(') return true;
    tokens.next();
    const closing = tokens.next();
    if (closing?.text !== ')') return false;
    state.out += '()';
    return true;
  }
  if (text === 'extends' || text === 'implements') state.heritage = true;
  return put(state, token);
}

function isAttribute({ open: brackets, previous }: State, { language, tokens }: Context): boolean {
  if (C_FAMILY.has(language)) return tokens.peek()?.text === '[' && !tokens.peek()?.gap;
  if (language !== 'c-sharp') return false;
  return (
    previous === undefined || (BEFORE_ATTRIBUTE.has(previous.text) && (previous.text !== ']' || brackets.length > 0))
  );
}

function takeRound(state: State, context: Context, token: SignatureToken): boolean {
  const { language, tokens, callable, codeType } = context;
  if (state.open.length === 0) {
    if (language === 'shell') {
      state.out += '()';
      return false;
    }
    const parameters =
      callable ||
      codeType === 'type' ||
      (state.lists === 0 && !state.heritage && (language === 'java' || language === 'c-sharp')) ||
      (language === 'python' && state.lists === 0);
    if (!parameters) return leaveOut(state, token, tokens);
    state.beforeList = state.out;
    return open(state, token);
  }
  // A call in what a class builds on.
  if (codeType === 'class' && language === 'python' && state.previous?.kind === 'word') {
    return leaveOut(state, token, tokens);
  }
  return open(state, token);
}

function open(state: State, token: SignatureToken): boolean {
  put(state, token);
  state.open.push(token.text);
  return true;
}

function close(state: State, context: Context, token: SignatureToken): boolean {
  const { text } = token;
  if (text === '>' && state.open.at(-1) !== '<') return put(state, token);
  // What looked like a bracket was a comparison.
  while (text !== '>' && state.open.at(-1) === '<') state.open.pop();
  const opening = state.open.pop();
  if (opening === undefined || PAIRS[opening] !== text) return false;
  put(state, token);
  if (text !== ')' || state.open.length > 0) return true;
  state.lists += 1;
  return goesOn(state, context);
}

/** What may stand behind the parameters. */
function goesOn(state: State, { language, tokens, callable }: Context): boolean {
  if (!callable) return true;
  if (state.mode === 'macro' || language === 'ruby') return false;
  const next = tokens.peek();
  const after = next?.text ?? '';
  if (language === 'java') return after === 'throws' || after === '[';
  if (language === 'c-sharp') return after === 'where';
  if (C_FAMILY.has(language)) {
    // A pointer to a function is followed by its parameters.
    return AFTER_LIST_IN_C.has(after) || (state.lists === 1 && after === '(');
  }
  if (ECMASCRIPT.has(language) && ['.', '?', '(', '['].includes(after) && next?.gap === false) {
    // These were the arguments of a call.
    state.out = `${state.beforeList}(${LEFT_OUT})`;
    state.lists -= 1;
  }
  return true;
}

function takeValue(state: State, { language, tokens, callable, codeType }: Context, token: SignatureToken): boolean {
  if (state.open.length > 0 || state.mode === 'lambda') {
    return skipDefault(state, tokens, { ...token, gap: true }, state.mode === 'lambda' ? ':' : '');
  }
  if (codeType === 'type') return put(state, token);
  const next = tokens.peek();
  if (language === 'ruby' && !token.gap && next?.text === '(' && !next.gap) return put(state, token);
  if (state.lists > 0 || !next) return false;
  if (callable && language === 'python' && next.text === 'lambda') {
    state.mode = 'lambda';
    return put(state, token);
  }
  const isFunction = callable && language !== 'ruby' && FUNCTION_VALUES.has(next.text);
  return isFunction || (codeType === 'class' && next.text === 'class') ? put(state, token) : false;
}

/**
 * Puts `…` in place of a value, up to its comma or what closes the list.
 * @param token `=`, or what else begins it
 */
function skipDefault(state: State, tokens: SignatureTokens, token: SignatureToken | undefined, end: string): boolean {
  if (token) put(state, token);
  const ends = (text: string): boolean => text === ',' || text === ')' || text === ']' || text === '}' || text === '>';
  const brackets: string[] = [];
  let skipped = false;
  for (let next = tokens.peek(); next; next = tokens.peek()) {
    const { text } = next;
    if (brackets.length === 0 && (ends(text) || (end === ':' && text === ':' && token?.text === '='))) {
      if (skipped) putLeftOut(state);
      return true;
    }
    tokens.next();
    // Quotes in markup do not begin a string.
    if (text === '<' && next.gap) break;
    if (text === '(' || text === '[' || text === '{' || (text === '<' && skipped)) brackets.push(text);
    else if (PAIRS[brackets.at(-1) ?? ''] === text) brackets.pop();
    skipped = true;
  }
  putLeftOut(state);
  return false;
}

function leaveOut(state: State, opening: SignatureToken, tokens: SignatureTokens): boolean {
  put(state, opening);
  state.out += `${LEFT_OUT}${PAIRS[opening.text] ?? ''}`;
  state.previous = { ...opening, text: PAIRS[opening.text] ?? '' };
  return skipGroup(tokens, opening.text);
}

/** Up to what closes a bracket. @returns false when that is not found */
function skipGroup(tokens: SignatureTokens, opening: string): boolean {
  const brackets = [opening];
  for (let token = tokens.next(); token; token = tokens.next()) {
    if (token.text === '(' || token.text === '[' || token.text === '{') brackets.push(token.text);
    else if (PAIRS[brackets.at(-1) ?? ''] === token.text) brackets.pop();
    if (brackets.length === 0) return true;
  }
  return false;
}

/** The group that comes next. */
function skipNext(tokens: SignatureTokens): boolean {
  const opening = tokens.next();
  return opening !== undefined && skipGroup(tokens, opening.text);
}

function skipDecorator(tokens: SignatureTokens): boolean {
  while (tokens.peek()?.kind === 'word') {
    tokens.next();
    if (tokens.peek()?.text !== '.') break;
    tokens.next();
  }
  const next = tokens.peek()?.text;
  return next === '(' || next === '<'
    ? skipNext(tokens) && (next === '(' || tokens.peek()?.text !== '(' || skipNext(tokens))
    : true;
}

function put(state: State, token: SignatureToken): boolean {
  if (token.kind === 'literal') {
    if (token.gap && state.out !== '' && !/[([<\s]/.test(state.out.slice(-1))) state.out += ' ';
    if (!state.out.endsWith(LEFT_OUT)) state.out += LEFT_OUT;
  } else {
    if (/^[)\]]$/.test(token.text) && state.out.endsWith(',')) state.out = state.out.slice(0, -1);
    const tight = /^[,)\];>]$/.test(token.text) || /^$|[([\s]/.test(state.out.slice(-1));
    state.out += `${token.gap && !tight ? ' ' : ''}${token.text}`;
  }
  state.previous = token;
  return true;
}

function putLeftOut(state: State): void {
  state.out = `${state.out} ${LEFT_OUT}`;
}

function finished({ out, open: brackets }: State): string {
  return brackets.reduceRight((text, one) => `${text}${PAIRS[one] ?? ''}`, withoutOpenEnd(out)).trim();
}
