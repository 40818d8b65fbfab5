/** Sentences that name tools and parameters, which every door calls its own way. */

/** How a door calls things. */
export interface Speech {
  /** A parameter of the tool that was called. */
  parameter(named: ParameterName): string;
  /** ` (parameter "node_id")`, or nothing where it was not given by name. */
  inParentheses(parameter: string): string;
  tool(name: string): string;
  /** Where to read what the tool takes. */
  parametersOf(tool: string, names: string): string;
}

interface ParameterName {
  readonly parameter: string;
  /** What stands behind it, such as `[0]`. */
  readonly rest: string;
  /** Agents read it without quotes. */
  readonly isBare: boolean;
}

/** A place in a sentence that each door fills in its own words. */
export class Name {
  constructor(
    readonly saidIn: (speech: Speech) => string,
    /** The parameter that is named. */
    readonly parameter?: string,
  ) {}
}

export const parameter = (name: string, rest = ''): Name =>
  new Name((speech) => speech.parameter({ parameter: name, rest, isBare: false }), name);
/** Inside of a sentence that tells what to do. */
export const bareParameter = (name: string): Name =>
  new Name((speech) => speech.parameter({ parameter: name, rest: '', isBare: true }), name);
/** Behind the value that was given; no space stands before it. */
export const ofParameter = (name: string): Name => new Name((speech) => speech.inParentheses(name), name);
export const tool = (name: string): Name => new Name((speech) => speech.tool(name));
export const parametersOf = (name: string, names: string): Name =>
  new Name((speech) => speech.parametersOf(name, names));

/** A sentence with names in it. */
export class Phrase {
  constructor(private readonly parts: readonly (string | Name)[]) {}

  saidIn(speech: Speech): string {
    return this.parts.map((part) => (typeof part === 'string' ? part : part.saidIn(speech))).join('');
  }

  /** The first parameter that is named. */
  get parameter(): string | undefined {
    for (const part of this.parts) {
      if (typeof part !== 'string' && part.parameter !== undefined) return part.parameter;
    }
    return undefined;
  }
}

/** Makes a sentence out of a template: `phrase\`${parameter('line')} must be a number\``. */
export function phrase(texts: TemplateStringsArray, ...values: readonly (string | number | bigint | Name)[]): Phrase {
  return new Phrase(
    texts.flatMap((text, i) => {
      const value = values[i];
      return value === undefined ? [text] : [text, value instanceof Name ? value : String(value)];
    }),
  );
}

/** As agents call tools, in which everything has the name of its declaration. */
export const TO_AGENTS: Speech = {
  parameter: ({ parameter, rest, isBare }) => (isBare ? parameter + rest : `"${parameter}${rest}"`),
  inParentheses: (parameter) => ` (parameter "${parameter}")`,
  tool: (name) => name,
  parametersOf: (tool, names) => `The parameters of ${tool} are ${names}`,
};
