/** What stands in a release, by TypeScript's own parser: nothing of the product judges here. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, NodeFlags, type ParenthesizedExpression, type SourceFile } from 'typescript/unstable/ast';
import * as is from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';

/** A function or method with a body. */
export interface Callable {
  readonly path: string;
  /** With the names of what stands around it: `Class.method`. */
  readonly name: string;
  /** Its code without comments and line breaks, literals as they stand, its own name replaced. */
  readonly code: string;
  /** All comments inside it. */
  readonly comments: string;
}

/** The callables of all sources in a folder. @param paths relative to it */
export function callablesIn(folder: string, paths: readonly string[]): Callable[] {
  const settings = join(folder, 'tsconfig.json');
  const compilerOptions = { allowJs: true, noLib: true, noResolve: true, types: [], jsx: 'preserve', noEmit: true };
  writeFileSync(settings, JSON.stringify({ compilerOptions, files: paths }));
  const api = new API({ cwd: folder });
  try {
    const program = api.updateSnapshot({ openProjects: [settings] }).getProject(settings)?.program;
    return paths.flatMap((path) => {
      const source = program?.getSourceFile(join(folder, path));
      if (!source) throw new Error(`TypeScript does not read ${path}`);
      return callablesOf(source, path);
    });
  } finally {
    api.close();
    rmSync(settings);
  }
}

export function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function callablesOf(source: SourceFile, path: string): Callable[] {
  const found: Callable[] = [];
  const visit = (node: Node, around: readonly string[]): void => {
    const own = nameOf(node);
    // `open = function open() {}` is one.
    const named = own && is.isFunctionExpression(node) && lastOf(around.at(-1) ?? '') === own.name ? undefined : own;
    // What has no name gives none to what it holds.
    const inside = named === undefined ? around : [...around.filter((one) => one !== DEFAULT), named.name];
    if (named?.callable) {
      const name = inside.join('.');
      found.push({ path, name, ...textOf(named.callable, source, lastOf(name)) });
    }
    node.forEachChild((child) => visit(child, inside));
  };
  visit(source, []);
  return found;
}

interface Named {
  readonly name: string;
  /** What of it is its code. Undefined for what only stands around others. */
  readonly callable: Node | undefined;
}

function nameOf(node: Node): Named | undefined {
  if (is.isClassDeclaration(node) || is.isModuleDeclaration(node)) {
    return node.name && { name: node.name.text, callable: undefined };
  }
  if (is.isClassExpression(node) && node.name && !is.isVariableDeclaration(node.parent)) {
    return { name: node.name.text, callable: undefined };
  }
  if (is.isFunctionDeclaration(node) && !node.name && node.body) return { name: DEFAULT, callable: node };
  if (is.isExportAssignment(node) && !node.isExportEquals && isFunction(node.expression) && !hasName(node.expression)) {
    return { name: DEFAULT, callable: node.expression };
  }
  if (is.isFunctionDeclaration(node) || is.isFunctionExpression(node)) {
    return node.name && { name: node.name.text, callable: node.body && node };
  }
  if (is.isMethodDeclaration(node)) {
    return is.isIdentifier(node.name) ? { name: node.name.text, callable: node.body && node } : undefined;
  }
  if (is.isVariableDeclaration(node) && is.isIdentifier(node.name)) {
    const value = node.initializer;
    if (value && isFunction(value)) return { name: node.name.text, callable: node };
    if (value && (is.isObjectLiteralExpression(value) || is.isClassExpression(value))) {
      return { name: node.name.text, callable: undefined };
    }
  }
  if (is.isBinaryExpression(node) && is.isPropertyAccessExpression(node.left)) {
    const isClass = is.isClassExpression(node.right) && !node.right.name;
    const name = node.left
      .getText()
      .replace(/^module\.exports\./, 'exports.')
      .replace('.prototype.', '.');
    // What has no name gives none to what it holds.
    if (!/^[\w$.]+$/.test(name) || (isClass && name === 'module.exports')) return undefined;
    if (isClass) return { name, callable: undefined };
    return isFunction(node.right) ? { name, callable: node } : undefined;
  }
  return undefined;
}

/** What a file hands out without a name. */
const DEFAULT = 'default';

function hasName(node: Node): boolean {
  return is.isFunctionExpression(node) && node.name !== undefined;
}

function isFunction(node: Node): boolean {
  return is.isFunctionExpression(node) || is.isArrowFunction(node);
}

const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//g;
const EMPTY = /^[[{(]/;
/** What formatters put where they break lines: commas, and in types semicolons and bars. */
const LAST_COMMA = /,(?=[)\]}>])/g;
const LAST_SEMICOLON = /;(?=}$)/;
const FIRST_BAR = /^\|/;
/** Whether it is exported is not what a function does. */
const EXPORT = /^(?:export|default)$/;

function textOf(callable: Node, source: SourceFile, own: string): Pick<Callable, 'code' | 'comments'> {
  const code: string[] = [];
  const comments: string[] = [];
  // Between the nodes stand punctuation, keywords and comments, but no literals.
  const between = (from: number, to: number, of: Node): void => {
    const gap = source.text.slice(from, to);
    comments.push(...commentsIn(gap));
    const tokens = gap.replace(COMMENT, '').replace(/\s+/g, '').replace(LAST_COMMA, '');
    if (is.isTypeLiteralNode(of)) code.push(tokens.replace(LAST_SEMICOLON, ''));
    else
      code.push(is.isUnionTypeNode(of) && from === of.getStart(source, false) ? tokens.replace(FIRST_BAR, '') : tokens);
  };
  const write = (node: Node): void => {
    if (EXPORT.test(node.getText(source))) return;
    if (isForLayout(node)) {
      comments.push(...commentsIn(source.text.slice(node.getStart(source), node.expression.getStart(source))));
      write(node.expression);
      comments.push(...commentsIn(source.text.slice(node.expression.getEnd(), node.getEnd())));
      return;
    }
    let at = node.getStart(source, false);
    let isLeaf = true;
    node.forEachChild((child) => {
      const start = child.getStart(source, false);
      // Types that JSDoc gives in JavaScript are nodes as well, in the comment.
      if ((child.flags & NodeFlags.Reparsed) !== 0 || start < at || child.getEnd() <= start) return;
      isLeaf = false;
      between(at, start, node);
      write(child);
      at = child.getEnd();
    });
    // An empty block may hold comments.
    if (!isLeaf || (EMPTY.test(node.getText(source)) && !is.isJsxText(node))) between(at, node.getEnd(), node);
    else code.push(is.isIdentifier(node) && node.text === own ? '=' : node.getText(source).replaceAll('\r\n', '\n'));
  };
  write(callable);
  return { code: code.filter((piece) => piece !== '').join(' '), comments: comments.join(' ') };
}

function commentsIn(gap: string): string[] {
  return (gap.match(COMMENT) ?? []).map((comment) => comment.replace(/\s+/g, ' '));
}

/** Brackets around a whole expression, which formatters put where they break it into lines. */
function isForLayout(node: Node): node is ParenthesizedExpression {
  if (!is.isParenthesizedExpression(node)) return false;
  const { parent, expression } = node;
  if (is.isReturnStatement(parent) || is.isJsxElement(expression) || is.isJsxSelfClosingElement(expression))
    return true;
  const isWhole =
    is.isArrowFunction(parent) ||
    is.isVariableDeclaration(parent) ||
    (is.isBinaryExpression(parent) && parent.right === node && parent.operatorToken.getText() === '=');
  if (!isWhole) return false;
  if (is.isBinaryExpression(expression)) return !/^,|=$/.test(expression.operatorToken.getText());
  return is.isConditionalExpression(expression) || is.isCallExpression(expression) || is.isAwaitExpression(expression);
}
