// Part of the build: the MCP SDK without what is not used, which esbuild cannot tell by itself.
//
// Most of an MCP server's start goes into what the SDK builds when it is loaded: some 180 zod schemas, of which a
// server uses a few dozen, and the JSON-schema validator ajv, which validates answers to a question that none of our
// tools asks. This esbuild plugin leaves out what is not used; nothing that is used changes.
import { readFile } from 'node:fs/promises';

/** The module that defines the SDK's schemas, one `const` each. */
const SCHEMAS = /[\\/]@modelcontextprotocol[\\/]sdk[\\/]dist[\\/]esm[\\/]types\.js$/;
const VALIDATOR = /[\\/]validation[\\/]ajv-provider\.js$/;
/** A statement ends at the first `;` before a line that begins something new. */
const CONSTANT = /^((?:export )?const \w+ = )([\s\S]*?);\n(?=[^\s})\]])/gm;
/** Fewer would mean that the SDK is written differently now, and that nothing is left out. */
const FEWEST_CONSTANTS = 150;

/** @returns {import('esbuild').Plugin} */
export function slimSdk() {
  return {
    name: 'slim-sdk',
    setup(build) {
      build.onLoad({ filter: SCHEMAS }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        let constants = 0;
        // A call marked as pure is dropped when nobody uses its result; a chain of calls is one when it is wrapped.
        const contents = source.replace(CONSTANT, (_, start, value) => {
          constants++;
          return `${start}/* @__PURE__ */ (() => ${value})();\n`;
        });
        if (constants < FEWEST_CONSTANTS) throw new Error(`${path}: only ${constants} constants were found`);
        return { contents, loader: 'js' };
      });
      build.onLoad({ filter: VALIDATOR }, () => ({
        contents: 'export class AjvJsonSchemaValidator { getValidator() { throw new Error("ajv is left out"); } }',
        loader: 'js',
      }));
    },
  };
}
