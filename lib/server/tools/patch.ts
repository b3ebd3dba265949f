import "server-only";
import { applyPatch, parsePatch, type StructuredPatch } from "diff";

type Hunk = StructuredPatch["hunks"][number];

/** The change of one file in a patch. `oldName` null: it is created; `newName` null: it is deleted; two names: it is renamed. */
export interface FilePatch {
  oldName: string | null;
  newName: string | null;
  hunks: Hunk[];
}

const maxFiles = 100;
const expected = 'expected a unified diff: lines "--- a/file" and "+++ b/file", then hunks that begin with @@';

/** The files of a unified diff, as `diff -u` or git write it. @throws Error that names what cannot be read or done. */
export function readPatch(text: string): FilePatch[] {
  const files = parse(text)
    .filter((file) => file.hunks.length > 0 || file.isGit)
    .map(readFile);
  if (files.length === 0) throw new Error(`${expected}; found none`);
  if (files.length > maxFiles) throw new Error(`expected at most ${maxFiles} files in a patch, found ${files.length}`);
  return files;
}

function parse(text: string): StructuredPatch[] {
  try {
    return parsePatch(text);
  } catch (error) {
    throw new Error(`${expected}; found: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const isNothing = (name: string | undefined): boolean => name === "/dev/null";

function readFile(file: StructuredPatch): FilePatch {
  const { oldFileName, newFileName, hunks } = file;
  const name = newFileName ?? oldFileName;
  if (oldFileName === undefined || newFileName === undefined)
    throw new Error(`${expected}; found a hunk without a file`);
  if (file.isBinary) throw new Error(`the patch of "${name}" is binary; only text is patched`);
  if (file.isCopy) throw new Error(`the patch copies "${name}"; write the new file as a whole instead`);
  if ([file.oldMode, file.newMode].some((mode) => mode !== undefined && !mode.startsWith("100")))
    throw new Error(`"${name}" is a link or a submodule in the patch; only plain files are patched`);
  const isPrefixed =
    (isNothing(oldFileName) || oldFileName.startsWith("a/")) &&
    (isNothing(newFileName) || newFileName.startsWith("b/"));
  const strip = (fileName: string) => (isPrefixed ? fileName.slice(2) : fileName);
  const oldName = file.isCreate || isNothing(oldFileName) ? null : strip(oldFileName);
  const newName = file.isDelete || isNothing(newFileName) ? null : strip(newFileName);
  if (oldName === null && newName === null) throw new Error("the patch names no file: both sides are /dev/null");
  if (hunks.length === 0 && oldName === newName) throw new Error(`the patch changes nothing in "${oldName}"`);
  return { oldName, newName, hunks };
}

/** Lines that are compared before a patch is given up: enough for any real one. */
const maxWork = 20_000_000;

/**
 * The text after all hunks. A hunk may have moved, but all its lines must be there.
 * @throws Error that names the first hunk that does not fit, and what the file contains instead.
 */
export function patchText(text: string, hunks: readonly Hunk[], name: string): string {
  let work = 0;
  const apply = (count: number) =>
    applyPatch(
      text,
      { oldFileName: name, newFileName: name, oldHeader: "", newHeader: "", hunks: hunks.slice(0, count) },
      {
        compareLine: (_number, line, _operation, content) => {
          if (++work > maxWork) throw new Error(`the patch of "${name}" takes too long to place; send smaller hunks`);
          return line === content;
        },
      },
    );
  const patched = apply(hunks.length);
  if (patched !== false) return patched;
  const failed = hunks.findIndex((_, index) => apply(index + 1) === false);
  const hunk = hunks[failed];
  if (!hunk) throw new Error(`the patch of "${name}" does not fit together; send its hunks one at a time`);
  const { oldStart, oldLines, newStart, newLines } = hunk;
  throw new Error(
    `hunk ${failed + 1} of ${hunks.length} of "${name}" (@@ -${oldStart},${oldLines} +${newStart},${newLines} @@) does not fit: ${describeMisfit(text, hunk)}. Nothing was changed; read the file again`,
  );
}

/** The first line that the hunk wants and the file does not have, at the place that the hunk names. */
function describeMisfit(text: string, hunk: Hunk): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const expectedLines = hunk.lines
    .filter((line) => !/^[+\\]/.test(line))
    .map((line) => line.slice(1).replace(/\r$/, ""));
  const startIndex = hunk.oldStart - 1;
  const mismatch = expectedLines.findIndex((line, index) => lines[startIndex + index] !== line);
  const quote = (line: string | undefined) =>
    line === undefined ? "the end of the file" : JSON.stringify(line.slice(0, 200));
  if (mismatch < 0) return "it overlaps the hunk before it, or the end of the file differs by its last line break";
  return `expected ${quote(expectedLines[mismatch])} in line ${startIndex + mismatch + 1}, found ${quote(lines[startIndex + mismatch])}`;
}
