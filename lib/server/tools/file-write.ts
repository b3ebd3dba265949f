import "server-only";
import { z } from "zod";
import { defineTool } from "./define-tool";
import { useWorkspace } from "./workspace";
import { checkContent, isThere, maxWrite, oneAtATime, writeChanges } from "./workspace-write";

/** Writes a text file in the workspace: wholly or not at all. */
export const fileWrite = defineTool({
  name: "file_write",
  description:
    "Writes a text file in the workspace; a file that is there is replaced, missing folders are made. For small changes of a file use apply_patch.",
  acts: true,
  input: z.strictObject({
    path: z.string().min(1).max(1000).describe("Path of the file, relative to the workspace"),
    content: z.string().max(maxWrite).describe("The whole new text"),
  }),
  execute: ({ path, content }, context) =>
    useWorkspace(context, (workspace) => {
      const size = checkContent(content);
      return oneAtATime(async () => {
        context.signal.throwIfAborted();
        const location = await workspace.locate(path, "write");
        const verb = (await isThere(location)) ? "replaced" : "created";
        // The only change is never taken back, so the text before is not read.
        await writeChanges(workspace, [{ location, before: null, after: content }]);
        return `${verb} ${location.name} (${size} bytes)`;
      });
    }),
});
