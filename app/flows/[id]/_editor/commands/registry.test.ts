import { describe, expect, it } from "vitest";
import { readCanvasKey } from "../panels/canvas/canvas-keys";
import { readEditorKey } from "./editor-keys";
import { editorCommands } from "./registry";

const special: Record<string, string> = { "↓": "ArrowDown", "→": "ArrowRight", Del: "Delete" };

/** The stroke that people read as `Ctrl Shift Z`. */
function toStroke(way: string) {
  const names = way.split(" ");
  const last = names.at(-1) ?? "";
  const key = special[last] ?? (last.length === 1 ? last.toLowerCase() : last);
  const [ctrlKey, shiftKey] = [names.includes("Ctrl"), names.includes("Shift")];
  return { key, code: `Digit${last}`, ctrlKey, shiftKey, metaKey: false, altKey: false };
}

/** What the canvas calls otherwise than the table does. */
const otherIds: Record<string, string> = { help: "keys", note: "add-note" };

/** The id of the command that a stroke is for: on the canvas, else anywhere. */
function findId(way: string): string | null {
  const stroke = toStroke(way);
  const key = readCanvasKey(stroke);
  if (!key) return readEditorKey(stroke);
  if (key.type === "wrap") return key.wrap;
  if (key.type === "add") return key.side === "after" ? "add-agent" : "add-lane";
  return otherIds[key.type] ?? key.type;
}

describe("the table of commands", () => {
  it("names every command once", () => {
    const ids = editorCommands.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const titles = editorCommands.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  // The browser itself turns the keys of the clipboard into its events.
  const ways = editorCommands.flatMap(({ id, keys }) =>
    ["copy", "cut", "paste"].includes(id) ? [] : (keys?.split(", ").map((way) => [way, id]) ?? []),
  );
  it.each(ways)("says keys that do what it says: %s is %s", (way, id) => expect(findId(way)).toBe(id));
});

describe("keys that work anywhere", () => {
  it.each([
    ["Ctrl Enter", "run"],
    ["Ctrl Shift Z", "redo"],
    ["Ctrl Z", "undo"],
    ["F8", "next-problem"],
    ["Shift F8", "previous-problem"],
    ["Z", null],
    ["Ctrl J", null],
  ])("%s is %s", (way, id) => expect(readEditorKey(toStroke(way))).toBe(id));
});
