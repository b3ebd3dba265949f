import "server-only";
import { z } from "zod";
import { splitLines } from "@/lib/core/flow/text-range";
import { defineTool } from "./define-tool";
import { useWorkspace } from "./workspace";

/** Most that one call answers, and the largest file of which a part is read; in bytes. */
const maxAnswer = 256_000;
const maxFile = 20_000_000;

/** Reads lines of a text file in the workspace. */
export const fileRead = defineTool({
  name: "file_read",
  description:
    "Reads a text file in the workspace, the whole of it or some lines. The first line of the answer names the lines that follow.",
  input: z.strictObject({
    path: z.string().min(1).max(1000).describe("Path of the file, relative to the workspace"),
    from_line: z.int().min(1).default(1).describe("First line to read, from 1. Default: 1"),
    lines: z.int().min(1).optional().describe("How many lines to read. Default: all"),
  }),
  execute: ({ path, from_line, lines }, context) =>
    useWorkspace(context, async (workspace) => {
      const location = await workspace.locate(path, "read");
      const { text } = await workspace.readText(location, maxFile);
      return showLines(location.name, splitLines(text), from_line, lines);
    }),
});

function showLines(name: string, allLines: readonly string[], fromLine: number, count = allLines.length): string {
  if (allLines.length === 0) return `${name}: empty`;
  if (fromLine > allLines.length)
    throw new Error(`"${name}" has ${allLines.length} lines; expected from_line up to that, found ${fromLine}`);
  const { shown: shownLines, isCut } = takeLines(allLines.slice(fromLine - 1, fromLine - 1 + count));
  const end = fromLine - 1 + shownLines.length;
  const continuation = end < allLines.length ? `\n[more: go on with from_line ${end + 1}]` : "";
  const cut = isCut ? `\n[cut: line ${end} is longer than ${maxAnswer} bytes]` : "";
  return `${name}: lines ${fromLine} to ${end} of ${allLines.length}\n${shownLines.join("")}${cut}${continuation}`;
}

/** As many whole lines as fit; a first line that does not fit is cut. */
function takeLines(lines: readonly string[]): { shown: string[]; isCut: boolean } {
  let size = 0;
  const tooMany = lines.findIndex((line) => {
    size += Buffer.byteLength(line);
    return size > maxAnswer;
  });
  if (tooMany !== 0) return { shown: tooMany < 0 ? [...lines] : lines.slice(0, tooMany), isCut: false };
  const [firstLine = ""] = lines;
  const cutLine = Buffer.from(firstLine).subarray(0, maxAnswer);
  return { shown: [new TextDecoder().decode(cutLine, { stream: true })], isCut: true };
}
