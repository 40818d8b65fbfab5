// Who may import whom. A folder may import itself, what its row says and, in src/server, `base`; nothing else.
// `types` are imports that the compiler takes out. A name with a slash is a folder of src, others are of src/server. Run by `npm run check`; the reasons appear beside a violation.

/** @type {Record<string, { may?: string[], types?: string[], node?: boolean, packages?: string[], because: string }>} */
const FOLDERS = {
  base: {
    node: true,
    because: 'everything stands on it, so it stands on next to nothing',
  },
  db: {
    node: true,
    packages: ['@vscode/sqlite3'],
    because: 'SQL behind one interface, so that the store can one day be a server; it knows no memory',
  },
  engine: {
    node: true,
    may: ['db'],
    packages: ['@libsql/hrana-client', 'ws'],
    because: 'stores in a server of databases, behind the interface of a store: it knows no memory',
  },
  memory: {
    may: ['db', 'kinds/'],
    packages: ['wink-porter2-stemmer'],
    because:
      'the domain changes with the specification only: it knows no files, tokens, Markdown, protocols or parsers',
  },
  graph: {
    node: true,
    may: ['db'],
    packages: ['@vscode/tree-sitter-wasm', 'ignore'],
    because: 'code as it is, which can be rebuilt from files at any time; it knows no memory, which knows no files',
  },
  render: {
    may: ['kinds/'],
    types: ['memory'],
    because: 'values in, text out: pure, so that every layout is tested without a store',
  },
  git: {
    node: true,
    may: ['graph'],
    because: 'what Git says of a folder, from the one place that starts it; it knows no memory and no store',
  },
  code: {
    node: true,
    may: ['db', 'memory', 'graph', 'git'],
    because: 'where memories meet code: what they are linked to, where it stands now, and what became of it',
  },
  guidance: {
    may: ['kinds/'],
    because: 'what agents are told, in one place for every text that they read: words alone',
  },
  bring: {
    node: true,
    may: ['db', 'git', 'kinds/'],
    types: ['memory'],
    packages: ['yaml'],
    because:
      'what other tools and people wrote down, their databases included, read into drafts of memories: it opens no store of ours',
  },
  shared: {
    node: true,
    may: ['db', 'memory', 'bring', 'kinds/'],
    packages: ['yaml'],
    because: 'memories that stand in files of the repository: their form, and the rows that are derived from them',
  },
  agents: {
    node: true,
    may: ['guidance'],
    packages: ['jsonc-parser', 'smol-toml', 'yaml'],
    because: 'the files that tell agents and their hosts of the memory; it opens no store',
  },
  project: {
    node: true,
    may: ['db', 'memory', 'shared', 'graph', 'git', 'code', 'agents', 'secrets', 'store-place/'],
    types: ['render'],
    packages: ['jsonc-parser', 'yaml'],
    because: 'it joins store, memory and code index of one folder; what is done with them is for the tools',
  },
  secrets: {
    packages: ['@secretlint/core', '@secretlint/secretlint-rule-preset-recommend'],
    because: 'what a secret looks like, in a text and nothing else: a pure question that every door asks',
  },
  tools: {
    may: ['project', 'code', 'memory', 'render', 'secrets', 'guidance', 'kinds/'],
    packages: ['zod'],
    because: 'a tool is the same at every door, so it knows none of the doors',
  },
  mcp: {
    node: true,
    may: ['tools', 'project', 'guidance', 'llm', 'question/'],
    types: ['memory', 'render', 'kinds/'],
    packages: ['@modelcontextprotocol/sdk', 'zod'],
    because: 'the only place that speaks the protocol; it offers the registry and holds no rules of its own',
  },
  team: {
    node: true,
    may: ['mcp', 'tools', 'project', 'memory', 'engine', 'store-place/'],
    types: ['db', 'render'],
    packages: ['@modelcontextprotocol/sdk', 'zod', 'prom-client', 'jose'],
    because: 'the door that many people come in by: who they are and what they may, and then the same tools',
  },
  'team-client': {
    node: true,
    types: ['project'],
    packages: ['@modelcontextprotocol/sdk', 'eventsource-parser'],
    because: 'the way to the server of a team: the protocol from the other side, behind one interface of the project',
  },
  cli: {
    node: true,
    may: ['tools', 'project', 'memory', 'render', 'agents', 'bring', 'guidance', 'ingest', 'llm', 'store-place/'],
    types: ['git', 'team', 'question/', 'protocol/'],
    packages: ['commander', 'picocolors', 'string-width', 'zod'],
    because: 'a door like mcp: the registry as commands, and what only a terminal needs',
  },
  llm: {
    node: true,
    may: ['question/'],
    packages: ['ollama', 'openai', '@anthropic-ai/sdk', 'p-retry'],
    because: 'language models behind one interface: it knows neither what they are asked nor what for',
  },
  ingest: {
    node: true,
    may: ['graph', 'code', 'project', 'llm', 'secrets', 'store-place/'],
    types: ['db', 'question/'],
    packages: ['markdown-it', 'yaml'],
    because:
      'documents bound to code, from the settings to the last binding: it knows no memory, and no door, to which it reports values',
  },
  lsp: {
    node: true,
    may: ['tools', 'project', 'code', 'memory', 'agents', 'kinds/', 'store-place/'],
    types: ['graph', 'render', 'protocol/'],
    packages: ['vscode-languageserver', 'vscode-languageserver-textdocument', '@vscode/l10n'],
    because: 'a door like mcp: the registry, and what an editor asks about a file',
  },
  'question/': {
    node: true,
    because:
      'what a model is asked about a section, and the socket at which it is: who answers makes the prompt, and that is the editor or a server',
  },
  'kinds/': {
    because: 'one table that server, editor and pages build on: nothing of it may need more than a page has',
  },
  'store-place/': {
    node: true,
    may: ['base'],
    because: 'one answer to where a store is and what its root is, for servers and editor; it opens none',
  },
  'protocol/': {
    types: ['kinds/'],
    because: 'what the extension, its webviews and the language server say to each other: types, gone at run time',
  },
  'extension/': {
    node: true,
    may: ['question/', 'base', 'kinds/', 'store-place/'],
    types: ['protocol/'],
    packages: ['vscode-languageclient', 'jsonc-parser'],
    because: "the only place that knows the editor; stores are the servers' to open, and base knows of none",
  },
  'webview/': {
    may: ['kinds/'],
    types: ['protocol/'],
    packages: ['lit', 'cytoscape'],
    because: 'it runs in a page without a file system or an editor, and asks the extension for everything',
  },
};

const folder = (/** @type {string[]} */ ...names) =>
  `^src/(${names.map((name) => (name.endsWith('/') ? name : `server/${name}/`)).join('|')})`;

const folderRules = Object.entries(FOLDERS).flatMap(([name, row]) => {
  const values = [name, ...(name.endsWith('/') ? [] : ['base']), ...(row.may ?? [])];
  const label = name.replace('/', '');
  const types = [...values, ...(row.types ?? [])];
  const packages = (row.packages ?? []).map((each) => `node_modules/${each}/`);
  return [
    {
      name: `${label}-imports`,
      comment: `${name} may import ${values.join(', ')}: ${row.because}`,
      from: { path: folder(name) },
      to: { path: '^src/', pathNot: folder(...values), dependencyTypesNot: ['type-only'] },
    },
    {
      name: `${label}-types`,
      comment: `${name} may import types of ${types.join(', ')}: ${row.because}`,
      from: { path: folder(name) },
      to: { path: '^src/', pathNot: folder(...types), dependencyTypes: ['type-only'] },
    },
    {
      name: `${label}-packages`,
      comment: `${name} may import the packages ${row.packages?.join(', ') ?? '(none)'}: ${row.because}`,
      from: { path: folder(name) },
      to: { path: 'node_modules/', pathNot: [...packages, 'node_modules/@types/vscode/'] },
    },
    ...(row.node
      ? []
      : [
          {
            name: `${label}-node`,
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
    comment: 'A new folder of src needs a row in this table, with its reason',
    from: {},
    to: { path: '^src/', pathNot: folder(...Object.keys(FOLDERS), 'main') },
  },
  {
    name: 'store-interface',
    comment:
      'Outside of db a store is a `Store`, opened with `openFile`: that it is a SQLite file is known there alone',
    from: { pathNot: folder('db') },
    to: { path: '^src/server/db/(?:store-file|driver)[.]ts$' },
  },
  {
    name: 'main-is-the-top',
    comment: 'main reads environment, arguments and working directory; imported from elsewhere, they would spread',
    from: { pathNot: folder('main') },
    to: { path: folder('main') },
  },
  {
    name: 'editor-in-extension',
    comment: 'The module "vscode" is there in the extension host only',
    from: { pathNot: '^src/extension/' },
    to: { path: '^vscode$|@types/vscode/' },
  },
  {
    name: 'no-cycle',
    comment: 'Modules that import each other cannot be understood one at a time. Types may: they are gone at run time',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'resolvable',
    comment: 'An import that cannot be found; the two left out are types alone, and are found by the compiler',
    from: {},
    to: { couldNotResolve: true, pathNot: '^vscode$' },
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
