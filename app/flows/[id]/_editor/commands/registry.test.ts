import { describe, expect, it } from "vitest";
import { chordsOf } from "./editor-command";
import { editorCommands, findCommand } from "./registry";

const keys: Record<string, string> = { "↓": "ArrowDown", "→": "ArrowRight", Del: "Delete" };
const scopes = ["editor", "canvas", "outline"] as const;

/** The stroke of a chord such as `Ctrl Shift Z`. */
function toStroke(chord: string) {
  const names = chord.split(" ");
  const name = names.at(-1) ?? "";
  const key = keys[name] ?? (name.length === 1 ? name.toLowerCase() : name);
  const [ctrlKey, shiftKey] = [names.includes("Ctrl"), names.includes("Shift")];
  return { key, code: `Digit${name}`, ctrlKey, shiftKey, metaKey: false, altKey: false };
}

describe("the command registry", () => {
  it("has every id and every title once", () => {
    const ids = editorCommands.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const titles = editorCommands.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it.each([...scopes, "clipboard"] as const)("binds every chord of the scope %s once", (scope) => {
    const chords = editorCommands.flatMap((command) => command.chords?.[scope] ?? []);
    expect(chords.filter((chord, index) => chords.indexOf(chord) !== index)).toEqual([]);
  });

  // The browser turns the chords of the clipboard into events.
  const shown = scopes.flatMap((scope) =>
    editorCommands.flatMap((command) => chordsOf(command, scope).map((chord) => [chord, scope, command.id] as const)),
  );
  it.each(shown)("handles every chord that is shown: %s in %s is %s", (chord, scope, id) =>
    expect(findCommand(toStroke(chord), scope)?.id).toBe(id),
  );
});

describe("keys that work anywhere", () => {
  it.each([
    ["Ctrl Enter", "run"],
    ["Ctrl Shift Z", "redo"],
    ["Ctrl Z", "undo"],
    ["F8", "next-problem"],
    ["Shift F8", "previous-problem"],
    ["Z", undefined],
    ["Ctrl J", undefined],
  ])("%s is %s", (chord, id) => expect(findCommand(toStroke(chord), "editor")?.id).toBe(id));
});
