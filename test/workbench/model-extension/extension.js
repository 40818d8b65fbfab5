// Runs in the editor's extension host, for tests: answers as a language model by a script, and evaluates functions that
// a test sends, so that a test can look at what the editor has no view of.
// @ts-check
const { createServer } = require('node:http');
const { writeFileSync } = require('node:fs');
const vscode = require('vscode');

/**
 * @typedef {{ text: string } | { tool: string, input: object }} Step a tool is named by how its name ends
 * @typedef {{ at: number, tools: string[], messages: { role: number, text: string }[] }} Request
 */

/** @type {{ script: Step[], requests: Request[], questions: number }} `questions`: about sections, to answer before it is silent */
const model = { script: [], requests: [], questions: Number.POSITIVE_INFINITY };

exports.activate = (/** @type {vscode.ExtensionContext} */ context) => {
  const changed = new vscode.EventEmitter();
  context.subscriptions.push(
    changed,
    vscode.lm.registerLanguageModelChatProvider('svc-test', {
      onDidChangeLanguageModelChatInformation: changed.event,
      provideLanguageModelChatInformation: async () => [
        {
          id: 'scripted',
          name: 'Scripted',
          family: 'scripted',
          version: '1',
          maxInputTokens: 100_000,
          maxOutputTokens: 10_000,
          isUserSelectable: true,
          capabilities: { toolCalling: true, imageInput: false },
          // Another extension has to be allowed to use it: looked at only where proposals are enabled.
          requiresAuthorization: { label: 'a test' },
        },
      ],
      provideLanguageModelChatResponse: async (_, messages, { tools = [] }, progress, token) => {
        const request = { at: Date.now(), tools: tools.map(({ name }) => name), messages: messages.map(readable) };
        model.requests.push(request);
        const verdicts = judge(request.messages.at(-1)?.text ?? '');
        if (verdicts === undefined) progress.report(answer(tools));
        else if (model.questions-- > 0) progress.report(new vscode.LanguageModelTextPart(verdicts));
        else await new Promise((done) => void token.onCancellationRequested(done));
      },
      provideTokenCount: async (_, text) =>
        Math.ceil((typeof text === 'string' ? text : readable(text).text).length / 4),
    }),
  );
  listen(context);
};

/** Binds what a section names, where it is asked about one. @param {string} text @returns {string | undefined} */
function judge(text) {
  if (!text.startsWith('{') || !text.includes('"candidates"')) return undefined;
  const { section, candidates } = JSON.parse(text);
  const named = candidates.filter((/** @type {{ name: string }} */ { name }) => section.includes(name));
  const bindings = named.map((/** @type {{ id: string, name: string }} */ { id, name }) => ({
    ...{ id, confidence: 0.8, reason: `it speaks of ${name}` },
  }));
  return JSON.stringify({ bindings });
}

/** The editor also asks for titles and the like, without tools: that takes no step. */
function answer(/** @type {readonly vscode.LanguageModelChatTool[]} */ tools) {
  const [step] = model.script;
  if (!step) return new vscode.LanguageModelTextPart('Nothing is left to do.');
  if (tools.length === 0) return new vscode.LanguageModelTextPart('A title');
  model.script.shift();
  if ('text' in step) return new vscode.LanguageModelTextPart(step.text);
  const tool = tools.find(({ name }) => name.endsWith(step.tool));
  if (!tool) return new vscode.LanguageModelTextPart(`There is no tool ${step.tool}.`);
  return new vscode.LanguageModelToolCallPart(`call-${model.requests.length}`, tool.name, step.input);
}

/** @param {vscode.LanguageModelChatRequestMessage} message */
function readable({ role, content }) {
  const texts = content.map((part) => {
    if (part instanceof vscode.LanguageModelTextPart) return part.value;
    if (part instanceof vscode.LanguageModelToolResultPart) return textOf(part.content);
    return JSON.stringify(part);
  });
  return { role, text: texts.join('\n') };
}

/** @param {readonly unknown[]} parts @returns {string} */
function textOf(parts) {
  return parts
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : JSON.stringify(part)))
    .join('\n');
}

function listen(/** @type {vscode.ExtensionContext} */ context) {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    try {
      const { source, argument } = JSON.parse(body);
      // The source of a function of our own test, sent to this machine's own loopback address.
      const value = await new Function(`return (${source})`)()(vscode, argument, model);
      response.end(JSON.stringify({ value }));
    } catch (error) {
      response.end(JSON.stringify({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }));
    }
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    const file = process.env.SVC_TEST_PROBE;
    if (file && address && typeof address === 'object') writeFileSync(file, String(address.port));
  });
  context.subscriptions.push({ dispose: () => server.close() });
}
