/** Reads the file of the official memory server. */
import { invalidInput, SvcError } from '../../base/errors';
import { quoted } from '../../base/text';

/** A plain import object, as memory_import takes it. */
export interface ConvertedNode {
  readonly kind: 'fact' | 'entity';
  readonly content: string;
  readonly entities?: readonly string[];
}

export interface ConvertedFile {
  readonly nodes: readonly ConvertedNode[];
  /** `line` counts from 1. */
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}

/** Whether the text looks like the file of the official memory server, one JSON object with a `type` on each line. */
export function isOfficialJsonl(text: string): boolean {
  const first =
    text
      .replace(/^\uFEFF/, '')
      .trimStart()
      .split('\n', 1)[0] ?? '';
  try {
    const item: unknown = JSON.parse(first);
    return isObject(item) && (item.type === 'entity' || item.type === 'relation');
  } catch {
    return false;
  }
}

/**
 * Converts the file of @modelcontextprotocol/server-memory. An entity becomes an entity of ours and a fact that says
 * what type it is ("Anna is of type person"); an observation becomes a fact about its entity, with the entity's name in
 * front where the observation does not hold it; a relation becomes a fact about both ends ("Anna works_at Acme").
 */
export function convertOfficialJsonl(text: string): ConvertedFile {
  const nodes: ConvertedNode[] = [];
  const errors: ConvertedFile['errors'][number][] = [];
  for (const [i, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    try {
      nodes.push(...convertLine(line));
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      errors.push({ line: i + 1, message: error.message });
    }
  }
  return { nodes, errors };
}

function convertLine(line: string): ConvertedNode[] {
  const item = parse(line);
  switch (item.type) {
    case 'entity':
      return convertEntity(item);
    case 'relation':
      return [convertRelation(item)];
    default:
      throw invalidInput(
        `"type" is ${typeof item.type === 'string' ? quoted(item.type) : 'not text'}`,
        'Every line is an "entity" or a "relation"',
      );
  }
}

function convertEntity(item: Fields): ConvertedNode[] {
  const name = textOf(item, 'name');
  const observations = item.observations ?? [];
  if (!Array.isArray(observations) || observations.some((entry) => typeof entry !== 'string')) {
    throw invalidInput('"observations" must be a list of strings', 'Correct the line, or remove it');
  }
  const nodes: ConvertedNode[] = [{ kind: 'entity', content: name }];
  const type = item.entityType;
  if (typeof type === 'string' && type.trim() !== '') {
    nodes.push({ kind: 'fact', content: `${name} is of type ${type.trim()}`, entities: [name] });
  }
  for (const observation of observations as readonly string[]) {
    if (observation.trim() === '') continue;
    const content = observation.toLowerCase().includes(name.toLowerCase()) ? observation : `${name}: ${observation}`;
    nodes.push({ kind: 'fact', content, entities: [name] });
  }
  return nodes;
}

function convertRelation(item: Fields): ConvertedNode {
  const from = textOf(item, 'from');
  const to = textOf(item, 'to');
  return { kind: 'fact', content: `${from} ${textOf(item, 'relationType')} ${to}`, entities: [...new Set([from, to])] };
}

type Fields = Readonly<Record<string, unknown>>;

function parse(line: string): Fields {
  try {
    const item: unknown = JSON.parse(line);
    if (isObject(item)) return item;
  } catch {
    // said below
  }
  throw invalidInput('The line is not a JSON object', 'Correct the line, or remove it');
}

function isObject(item: unknown): item is Fields {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

function textOf(item: Fields, name: string): string {
  const value = item[name];
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw invalidInput(`"${name}" is missing or blank`, 'Correct the line, or remove it');
}
