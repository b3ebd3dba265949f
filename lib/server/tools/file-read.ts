import "server-only";
import { z } from "zod";
import { defineTool } from "./define-tool";
import { Workspace } from "./workspace";

/** Most that one call answers, and the largest file of which a part is read; in bytes. */
const maxAnswer = 256_000;
const maxFile = 20_000_000;

/** Reads lines of a text file in the workspace. */
export const fileRead = defineTool({
  name: "file_read",
  description:
    "Reads a text file in the workspace, the whole of it or some lines. The first line of the answer says which lines follow.",
  input: z.strictObject({
    path: z.string().min(1).max(1000).describe("Path of the file, relative to the workspace"),
    from_line: z.int().min(1).default(1).describe("First line to read, from 1. Default: 1"),
    lines: z.int().min(1).optional().describe("How many lines to read. Default: all"),
  }),
  execute: async ({ path, from_line, lines }, context) => {
    const workspace = await Workspace.open(context);
    const { place, text } = await workspace.readText(await workspace.locate(path, "read"), maxFile);
    const all = splitLines(text);
    if (all.length === 0) return `${place.name}: empty`;
    if (from_line > all.length)
      throw new Error(`"${place.name}" has ${all.length} lines; expected from_line up to that, found ${from_line}`);
    const start = from_line - 1;
    const { shown, isCut } = takeLines(all.slice(start, lines === undefined ? undefined : start + lines));
    const end = start + shown.length;
    const more = end < all.length ? `\n[more: go on with from_line ${end + 1}]` : "";
    const cut = isCut ? `\n[cut: line ${end} is longer than ${maxAnswer} bytes]` : "";
    return `${place.name}: lines ${from_line} to ${end} of ${all.length}\n${shown.join("")}${cut}${more}`;
  },
});

/** Lines with their ends. */
const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** As many whole lines as fit; a first line that does not fit is cut. */
function takeLines(lines: readonly string[]): { shown: string[]; isCut: boolean } {
  let size = 0;
  const shown: string[] = [];
  for (const line of lines) {
    size += Buffer.byteLength(line);
    if (size > maxAnswer) break;
    shown.push(line);
  }
  const [first = ""] = lines;
  if (shown.length > 0) return { shown, isCut: false };
  return {
    shown: [new TextDecoder().decode(Buffer.from(first).subarray(0, maxAnswer), { stream: true })],
    isCut: true,
  };
}
