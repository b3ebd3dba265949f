import "server-only";
import { z } from "zod";
import { defineTool } from "./define-tool";
import { useWorkspace } from "./workspace";

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
  execute: ({ path, from_line, lines }, context) =>
    useWorkspace(context, async (workspace) => {
      const { place, text } = await workspace.readText(await workspace.locate(path, "read"), maxFile);
      return showLines(place.name, splitLines(text), from_line, lines);
    }),
});

function showLines(name: string, all: readonly string[], from: number, count = all.length): string {
  if (all.length === 0) return `${name}: empty`;
  if (from > all.length)
    throw new Error(`"${name}" has ${all.length} lines; expected from_line up to that, found ${from}`);
  const { shown, isCut } = takeLines(all.slice(from - 1, from - 1 + count));
  const end = from - 1 + shown.length;
  const more = end < all.length ? `\n[more: go on with from_line ${end + 1}]` : "";
  const cut = isCut ? `\n[cut: line ${end} is longer than ${maxAnswer} bytes]` : "";
  return `${name}: lines ${from} to ${end} of ${all.length}\n${shown.join("")}${cut}${more}`;
}

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
