import "server-only";
import { z } from "zod";
import { defineTool } from "./define-tool";
import { type FilePatch, patchText, readPatch } from "./patch";
import { useWorkspace, type Workspace } from "./workspace";
import { checkContent, type FileChange, isThere, maxWrite, oneAtATime, writeChanges } from "./workspace-write";

/** Changes files of the workspace by a unified diff: all of them or none. */
export const applyPatch = defineTool({
  name: "apply_patch",
  description:
    "Applies a unified diff to files in the workspace, one or many; it may create, rename and delete files. When one hunk does not fit, nothing is changed.",
  acts: true,
  input: z.strictObject({
    patch: z.string().min(1).max(maxWrite).describe("The unified diff; paths are relative to the workspace"),
  }),
  execute: ({ patch }, context) =>
    useWorkspace(context, (workspace) => {
      const files = readPatch(patch);
      return oneAtATime(async () => {
        const changes: FileChange[] = [];
        for (const file of files) {
          context.signal.throwIfAborted();
          changes.push(...(await planChanges(workspace, file)));
        }
        assertOnePatchPerFile(changes);
        await writeChanges(workspace, changes);
        return changes.map((change) => `${describe(change)} ${change.location.name}`).join("\n");
      });
    }),
});

const describe = ({ before, after }: FileChange): string =>
  before === null ? "created" : after === null ? "deleted" : "changed";

/** What a patch makes of the files it names; nothing is written yet. */
async function planChanges(workspace: Workspace, { oldName, newName, hunks }: FilePatch): Promise<FileChange[]> {
  const source = oldName === null ? null : await workspace.locate(oldName, "write");
  const target = newName === null ? null : await workspace.locate(newName, "write");
  const file = source && (await workspace.readOwnText(source, maxWrite));
  const name = newName ?? oldName ?? "";
  const after = patchText(file?.text ?? "", hunks, name);
  checkContent(after);
  if (!target && after !== "")
    throw new Error(`the patch deletes "${name}", but does not remove all its lines; nothing was changed`);
  if (target && target.absolute !== source?.absolute && (await isThere(target)))
    throw new Error(`the patch creates "${name}", but it is there already; nothing was changed`);
  const isMoved = target?.absolute !== source?.absolute;
  return [
    ...(source && file && isMoved ? [{ location: source, before: file.text, after: null, mode: file.mode }] : []),
    ...(target ? [{ location: target, before: isMoved ? null : (file?.text ?? null), after, mode: file?.mode }] : []),
  ];
}

/** @throws Error when a patch speaks of one file twice: which of the two holds would be a guess. */
function assertOnePatchPerFile(changes: readonly FileChange[]): void {
  const paths = changes.map(({ location }) => location.absolute);
  const repeated = changes.find(({ location }, index) => paths.indexOf(location.absolute) < index);
  if (repeated) throw new Error(`the patch names "${repeated.location.name}" twice; put its hunks together`);
}
