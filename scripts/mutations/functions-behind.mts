// Which functions a place matters to: the one around it, or those that use what is declared there.
import { functionAt, functionKey, isNode, type Node, type Source } from './syntax.mts';

/** @returns the keys of the functions one of which has to run so that a change at the place can be noticed */
export function functionsBehind(sources: readonly Source[], source: Source, place: number): Set<string> {
  const around = functionAt(source, place);
  if (around !== undefined) return new Set([functionKey(source.path, around)]);
  const found = new Set<string>();
  const seen = new Set<string>();
  const open = declaredAt(source, place);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, home, exported } = next;
    if (seen.has(`${home.path} ${name}`)) continue;
    seen.add(`${home.path} ${name}`);
    for (const user of exported ? sources : [home]) {
      for (const { index } of user.text.matchAll(new RegExp(`(?<![\\w$.])${name}(?![\\w$])`, 'g'))) {
        const inside = functionAt(user, index);
        if (inside === undefined) open.push(...declaredAt(user, index));
        else found.add(functionKey(user.path, inside));
      }
    }
  }
  return found;
}

interface Declared {
  readonly name: string;
  readonly home: Source;
  readonly exported: boolean;
}

/** The constants that the statement at the top of the file declares or fills which holds the place. */
function declaredAt(home: Source, place: number): Declared[] {
  const statements = home.program.body as readonly Node[];
  const statement = statements.find(({ start, end }) => start <= place && place < end);
  if (!statement) return [];
  const declared = constantsOf(home, statement);
  if (declared.length > 0) return declared;
  // A loop that fills a table: whoever uses a constant that it names.
  const names = new Set(home.text.slice(statement.start, statement.end).match(/[\w$]+/g));
  return statements.flatMap((one) => constantsOf(home, one)).filter(({ name }) => names.has(name));
}

function constantsOf(home: Source, statement: Node): Declared[] {
  const exported = statement.type === 'ExportNamedDeclaration';
  const declaration = exported && isNode(statement.declaration) ? statement.declaration : statement;
  if (declaration.type !== 'VariableDeclaration') return [];
  return (declaration.declarations as readonly Node[]).flatMap(({ id }) =>
    isNode(id) && typeof id.name === 'string' ? [{ name: id.name, home, exported }] : [],
  );
}
