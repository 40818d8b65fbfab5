// Part of the build: the editor's API is taken over once for all modules of the extension. esbuild makes a copy of its hundreds
// of names for each module that imports it, which was most of the time that the editor took to load them.
// @ts-check

const NAMESPACE = 'one-editor-api';

/** An esbuild plugin for what the editor loads. @returns {import('esbuild').Plugin} */
export function oneEditorApi() {
  return {
    name: NAMESPACE,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^vscode$/ }, ({ path, kind, namespace }) =>
        kind === 'import-statement' && namespace !== NAMESPACE
          ? { path, namespace: NAMESPACE }
          : { path, external: true },
      );
      onLoad({ filter: /./, namespace: NAMESPACE }, () => ({ contents: `export * from 'vscode';` }));
    },
  };
}
