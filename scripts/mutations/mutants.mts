// Where a source can be changed, and into what: operators, conditions, numbers, returned values, statements and SQL.
import { isNode, type Node, type Source, walk } from './syntax.mts';

/** A change of a source that its tests should notice. */
export interface Mutant {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The changes that can be made at one place. */
export type Place = readonly Mutant[];

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
};

/** A method that does the opposite, or '' where the call is left out. */
const METHODS: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  filter: '',
  sort: '',
  slice: '',
  reverse: '',
  toReversed: '',
  trim: '',
  trimEnd: '',
  toLowerCase: '',
};

const IS_SQL = /\b(?:SELECT|FROM|WHERE|AND|ORDER BY|LIMIT|VALUES|SET|JOIN)\b/;

/** What is changed in SQL. Joins in a fixed order, MATERIALIZED and the like change the time alone. */
const SQL: readonly (readonly [RegExp, (match: RegExpExecArray) => string | undefined])[] = [
  [/ORDER BY [\w.]+( DESC)?/g, ([all, desc]) => (desc ? all.slice(0, -desc.length) : `${all} DESC`)],
  [/\bLIMIT (?:\d+|\$\w+)/g, () => ''],
  [/<=|>=/g, ([sign]) => sign.charAt(0)],
  [/(?<![<>])[<>](?![<>=])/g, ([sign]) => `${sign}=`],
  [/(?<![<>!])=/g, () => '<>'],
  [/<>/g, () => '='],
  [/\bAND\b/g, ({ input, index }) => (/\bBETWEEN\b(?:(?!\bAND\b).)*$/s.test(input.slice(0, index)) ? undefined : 'OR')],
  [/\bOR\b/g, () => 'AND'],
  [/\bIS (NOT )?NULL\b/g, ([, not]) => (not ? 'IS NULL' : 'IS NOT NULL')],
  [/\bNOT (?=EXISTS|IN\b)/g, () => ''],
  [/\b(?:max|min)(?=\()/g, ([name]) => (name === 'max' ? 'min' : 'max')],
  [/\bDISTINCT /g, () => ''],
  [/\bLEFT JOIN\b/g, () => 'JOIN'],
  [/(?<==\s*)[01]\b/g, ([digit]) => (digit === '0' ? '1' : '0')],
];

/** All places of a source. Texts for people and for the log, types and imports have none. */
export function placesIn(source: Source): Place[] {
  const { path, text } = source;
  const places: Place[] = [];
  const add = ({ start, end }: { start: number; end: number }, ...replacements: string[]): void => {
    places.push(replacements.map((replacement) => ({ path, start, end, replacement })));
  };
  const textOf = ({ start, end }: Node): string => text.slice(start, end);
  walk(source.program, (node, parents) => {
    if (/^(?:TS(?!As|NonNull|Satisfies)|Import)/.test(node.type) || isLog(node)) return false;
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression': {
        const other = OPERATORS[String(node.operator)];
        const [left, right] = [node.left, node.right];
        if (other === undefined || !isNode(left) || !isNode(right) || [left, right].some(isText)) break;
        const at = text.indexOf(String(node.operator), left.end);
        add({ start: at, end: at + String(node.operator).length }, other);
        break;
      }
      case 'UnaryExpression':
        if (['!', '-'].includes(String(node.operator))) add({ start: node.start, end: node.start + 1 }, '');
        break;
      case 'IfStatement':
      case 'ConditionalExpression':
        if (isNode(node.test)) add(node.test, 'true', 'false');
        break;
      case 'Literal':
        if (typeof node.value === 'boolean') add(node, String(!node.value));
        else if (typeof node.value === 'number') add(node, ...otherNumbers(node.value));
        else if (typeof node.value === 'string') places.push(...sqlPlaces(path, textOf(node), node.start));
        break;
      case 'TemplateElement':
        places.push(...sqlPlaces(path, textOf(node), node.start, wholeTemplate(text, parents)));
        break;
      case 'ReturnStatement':
        if (isNode(node.argument) && !isPlain(node.argument)) add(node.argument, 'undefined');
        break;
      case 'ArrowFunctionExpression':
        if (isNode(node.body) && node.body.type !== 'BlockStatement' && !isPlain(node.body)) {
          add(node.body, node.body.type === 'ObjectExpression' ? '{}' : 'undefined');
        }
        break;
      case 'ExpressionStatement':
        if (isNode(node.expression) && node.expression.type !== 'Literal') add(node, ';');
        break;
      case 'CallExpression': {
        const callee = node.callee;
        if (!isNode(callee) || callee.type !== 'MemberExpression' || !isNode(callee.property)) break;
        const other = isNode(callee.object) ? METHODS[textOf(callee.property)] : undefined;
        if (other === undefined || !isNode(callee.object)) break;
        const dot = text.lastIndexOf('.', callee.property.start);
        if (other === '') add({ start: text[dot - 1] === '?' ? dot - 1 : dot, end: node.end }, '');
        else add(callee.property, other);
        break;
      }
    }
    return true;
  });
  return places;
}

/** A bound of ten or less gets its neighbours; of 4,000 rows one more or less is no other rule. */
function otherNumbers(value: number): string[] {
  if (!Number.isInteger(value) || value > 10) return [String(value * 2), String(value / 2)];
  return value === 0 ? ['1'] : [String(value + 1), String(value - 1)];
}

function sqlPlaces(path: string, text: string, offset: number, whole = text): Place[] {
  if (!IS_SQL.test(whole)) return [];
  const isUpdated = (at: number): boolean => /\b(?:SET|UPDATE)\b(?:(?!WHERE).)*$/s.test(text.slice(0, at));
  return SQL.flatMap(([pattern, replace]) =>
    [...text.matchAll(pattern)].flatMap((match): Place[] => {
      const replacement = replace(match);
      if (replacement === undefined || isUpdated(match.index)) return [];
      const start = offset + match.index;
      return [[{ path, start, end: start + match[0].length, replacement }]];
    }),
  );
}

function wholeTemplate(text: string, parents: readonly Node[]): string {
  const template = parents.at(-1);
  return template ? text.slice(template.start, template.end) : '';
}

const isText = ({ type, value }: Node): boolean => type === 'TemplateLiteral' || typeof value === 'string';

/** What a returned `undefined` would not change, or what has places of its own. */
const isPlain = ({ type, name }: Node): boolean => type === 'Literal' || name === 'undefined';

/** The log is for people who look for a mistake; what stands there is no rule. */
function isLog({ type, callee }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee)) return false;
  return callee.name === 'log' || (isNode(callee.property) && callee.property.name === 'log');
}
