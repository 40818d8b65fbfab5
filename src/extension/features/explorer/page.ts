/** The HTML of the explorer's page. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The page of the explorer: nothing but our own script and style may run in it, and nothing is fetched. */
export function explorerPage(webview: vscode.Webview, root: vscode.Uri): string {
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(root, name)).toString();
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    `default-src 'none'`,
    // What a script with the nonce imports has it, too.
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${vscode.l10n.t('Memory Explorer')}</title>
  <link rel="stylesheet" href="${file('main.css')}">
  <script type="module" nonce="${nonce}" src="${file('main.js')}"></script>
</head>
<body></body>
</html>`;
}
