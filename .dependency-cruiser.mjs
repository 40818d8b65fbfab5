// Who may import whom. A folder of src/server may import itself, `base`, and what its row says; nothing else.
// `types` are imports that the compiler takes out. Run by `npm run check`; the reasons appear beside a violation.

/** @type {Record<string, { may?: string[], types?: string[], node?: boolean, packages?: string[], because: string }>} */
const FOLDERS = {
  base: {
    node: true,
    because: 'everything stands on it, so it stands on nothing',
  },
  db: {
    node: true,
    packages: ['@vscode/sqlite3'],
    because: 'SQL behind one interface, so that the store can one day be a server; it knows no memory',
  },
  memory: {
    may: ['db'],
    packages: ['wink-porter2-stemmer'],
    because:
      'the domain changes with the specification only: it knows no files, tokens, Markdown, protocols or parsers',
  },
  graph: {
    node: true,
    may: ['db'],
    packages: ['@vscode/tree-sitter-wasm', 'ignore'],
    because: 'code as it is, derived from files and built anew at any time; it knows no memory, which knows no files',
  },
  render: {
    types: ['memory'],
    because: 'values in, text out: pure, so that every layout is tested without a store',
  },
  project: {
    node: true,
    may: ['db', 'memory', 'graph'],
    types: ['render'],
    packages: ['jsonc-parser'],
    because: 'it joins store, memory and code index of one folder; what is done with them is for the tools',
  },
  tools: {
    may: ['project', 'memory', 'render'],
    packages: ['zod'],
    because: 'a tool is the same at every door, so it knows none of the doors',
  },
  mcp: {
    node: true,
    may: ['tools', 'project'],
    types: ['memory', 'render'],
    packages: ['@modelcontextprotocol/sdk', 'zod'],
    because: 'the only place that speaks the protocol; it offers the registry and holds no rules of its own',
  },
  cli: {
    node: true,
    may: ['tools', 'project'],
    types: ['memory', 'render'],
    packages: ['commander', 'picocolors', 'zod'],
    because: 'a door like mcp: the registry as commands, and what only a terminal needs',
  },
};

const folder = (/** @type {string[]} */ ...names) => `^src/server/(${names.join('|')})/`;

const folderRules = Object.entries(FOLDERS).flatMap(([name, row]) => {
  const values = [name, 'base', ...(row.may ?? [])];
  const types = [...values, ...(row.types ?? [])];
  const packages = (row.packages ?? []).map((each) => `node_modules/${each}/`);
  return [
    {
      name: `${name}-imports`,
      comment: `${name} may import ${values.join(', ')}: ${row.because}`,
      from: { path: folder(name) },
      to: { path: '^src/', pathNot: folder(...values), dependencyTypesNot: ['type-only'] },
    },
    {
      name: `${name}-types`,
      comment: `${name} may import types of ${types.join(', ')}: ${row.because}`,
      from: { path: folder(name) },
      to: { path: '^src/', pathNot: folder(...types), dependencyTypes: ['type-only'] },
    },
    {
      name: `${name}-packages`,
      comment: `${name} may import the packages ${row.packages?.join(', ') ?? '(none)'}: ${row.because}`,
      from: { path: folder(name) },
      to: { path: 'node_modules/', ...(packages.length > 0 ? { pathNot: packages } : {}) },
    },
    ...(row.node
      ? []
      : [
          {
            name: `${name}-node`,
            comment: `${name} may import none of Node's modules: ${row.because}`,
            from: { path: folder(name) },
            to: { dependencyTypes: ['core'] },
          },
        ]),
  ];
});

const rules = [
  ...folderRules,
  {
    name: 'known-folder',
    comment: 'A new folder of src/server needs a row in this table, with its reason',
    from: {},
    to: { path: '^src/', pathNot: folder(...Object.keys(FOLDERS), 'main') },
  },
  {
    name: 'main-is-the-top',
    comment: 'main reads environment, arguments and working directory; imported from elsewhere, they would spread',
    from: { pathNot: folder('main') },
    to: { path: folder('main') },
  },
  {
    name: 'no-cycle',
    comment: 'Modules that import each other cannot be understood one at a time. Types may: they are gone at run time',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'resolvable',
    comment: 'An import that cannot be found',
    from: {},
    to: { couldNotResolve: true },
  },
];

export default {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    // With TypeScript 7 installed its own parser is not found, and the cruise succeeds on nothing; swc is exact.
    parser: 'swc',
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js'],
    },
  },
};
