/** What words about a change need to know of the project that it was made in. */

import { isNumberOfFile } from '../base/file-numbers';
import { typed } from '../base/text';
import { takenBack } from '../memory/history/taken-back';
import { contentKept, takenBackInFile } from '../project/kept-edits';
import type { Project } from '../project/open';
import { callTool } from '../tools/call-tool';
import { node } from '../tools/node';
import type { Cli, GlobalOptions } from './cli';
import type { Saying } from './settled-words';

export function sayingIn(project: Project, { output, signal }: Cli, { namespace }: GlobalOptions): Saying {
  return {
    width: output.width,
    options: namespace === undefined ? '' : ` --namespace ${typed(namespace)}`,
    takenBack: (undone) =>
      isNumberOfFile(undone.operation)
        ? takenBackInFile(project, project.memory, undone)
        : takenBack(project.memory, undone),
    contentOf: async (id) => {
      const answer = await callTool([node], project, node.name, { id }, { signal });
      if (answer.ok) return (answer.value as { readonly content: string }).content;
      // Its file was taken away.
      return contentKept(project, project.memory, id);
    },
  };
}
