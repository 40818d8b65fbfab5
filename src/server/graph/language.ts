// Everything that the code graph has to know of a language: one typed record for each, so that a new one is asked for all of it.

/** How one language is read, and how its names are found again. */
export interface Language {
  /** As graph_status counts it. Its sources for tests lie in `test/graph/sources/<name>`. */
  readonly name: string;
  /** As people call it; the README lists these. Two that people call the same have one. */
  readonly title: string;
  /** `tree-sitter-<grammar>.wasm` of the package of grammars. */
  readonly grammar: string;
  /** The folder of `queries/`. */
  readonly queries: string;
  /** How its files end, in small letters. */
  readonly endings: readonly string[];
  /** Those of the endings that an import may leave out or write, so that they say nothing of the module. */
  readonly writtenEndings: readonly string[];
  /** What else its files are called, whole. */
  readonly fileNames: readonly string[];
  /** What runs its scripts, as their first line names it; undefined where nobody writes such a line. */
  readonly program: RegExp | undefined;
  readonly comments: Comments;
  /** Indentation marks blocks, so it belongs to the text of a symbol. */
  readonly indented: boolean;
  /** Where a line break means more than a space; `directive`: at the end of a line that begins with `#`. */
  readonly lineBreaks: 'indentation' | 'script' | 'go' | 'ruby' | 'shell' | 'powershell' | 'directive' | 'none';
  /**
   * A comma behind the last of several elements, which formatters put and take away: it counts (`kept`), it does not (`free`; nor do what formatters put around types),
   * or only behind a single element, which it makes a tuple (`tuples`).
   */
  readonly trailingCommas: 'kept' | 'free' | 'tuples';
  /** Two characters that mean something else with a space between them. */
  readonly joined: readonly string[];
  /** What may have to be taken out before the grammar can read a source: branches of `#if`; macros as well. */
  readonly preprocessor: 'none' | 'conditions' | 'macros';
  /** A bare name may be a member of the class around it. */
  readonly bareMembers: boolean;
  /** What a variable holds can be called: `f()` with a variable `f` around is no call of a definition. */
  readonly calledVariables: boolean;
  /** What may stand before a name and is no part of it: `script:`. */
  readonly namePrefix: RegExp | undefined;
  /** What stands for the object itself, or for its class. */
  readonly own: readonly string[];
  /** Those of them that mean what the class builds on. */
  readonly parent: readonly string[];
  /** The rules for names that other files define. Languages with the same ones call each other. */
  readonly family: Family;
}

/** How comments are written: what reading a doc comment depends on. */
export interface Comments {
  /** Begins a comment that goes up to the end of the line. */
  readonly line: '//' | '#';
  readonly block: '/* */' | '<# #>' | undefined;
  /** Where a definition is told about: right above it, or in the first literal of its body as well. */
  readonly docstrings: boolean;
  /** `any`: each comment above a definition is about it. `marked`: in others, what looks like code is left out. */
  readonly docs: 'any' | 'marked';
}

/** The rules by which a name in one file means a definition in another. */
export interface Family {
  readonly name: string;
  /**
   * Where a bare name is known without an import: in its file or folder; in the `namespace` that the file says (in its
   * folder, where it says none); there, and functions of the root everywhere (`namespace or root`); or wherever the same
   * definitions stand around it, in all of the `program`.
   */
  readonly names: 'file' | 'folder' | 'namespace' | 'namespace or root' | 'program';
  /** What a bare name may mean that neither scopes nor imports explain. */
  readonly unexplained: Unexplained;
  /** All variables are known, so any other name that is not imported belongs to the language: `Math.max()`. */
  readonly allBound: boolean;
  /** A type begins with a capital letter, and a variable does not. */
  readonly capitalTypes: boolean;
  /** A class stands in one file, so that `this` means nothing in another. */
  readonly wholeClasses: boolean;
  /** Modules are namespaces, whatever the files are called. */
  readonly namespaced: boolean;
  /** How a module that is no namespace leads to files. */
  readonly modules: 'package' | 'python' | 'go' | 'crate' | 'include' | 'path' | 'script root';
  /** What stands between the parts of a module where code names one without an import; undefined where it cannot. */
  readonly modulePath: '::' | undefined;
}

/**
 * `nothing`; what stands outside of all classes, for certain (`outer`) or perhaps; that, or else perhaps anything;
 * macros; what a linker would join; anything, perhaps.
 */
export type Unexplained =
  | 'nothing'
  | 'outer'
  | 'perhaps outer'
  | 'outer or perhaps any'
  | 'perhaps a macro'
  | 'linked'
  | 'perhaps any';
