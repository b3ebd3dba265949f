import { describe, expect, it } from "vitest";
import { chordsOf } from "../../commands/editor-command";
import { editorCommands, findCommand } from "../../commands/registry";
import { findCanvasKey } from "../canvas/canvas-keys";
import { findKeyRows, keyRows } from "./key-rows";

const plain = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, code: "" };

describe("the list of shortcuts", () => {
  it("has every command that has keys", () => {
    const titles = keyRows.map(({ title }) => title);
    for (const command of editorCommands) expect(titles.includes(command.title)).toBe(chordsOf(command).length > 0);
  });

  it("has no row twice", () => {
    const rows = keyRows.map(({ group, keys }) => `${group} ${keys}`);
    expect(new Set(rows).size).toBe(rows.length);
  });

  it("has only letters that the canvas handles", () => {
    const letters = keyRows.flatMap(({ keys }) => keys.split(", ").filter((chord) => /^[A-Z]$/.test(chord)));
    expect(letters).toContain("E");
    for (const letter of letters) {
      const stroke = { ...plain, key: letter.toLowerCase() };
      expect(findCommand(stroke, "canvas") ?? findCanvasKey(stroke)).not.toBeNull();
    }
  });

  it("finds by title, key and group", () => {
    expect([...findKeyRows(keyRows, "undo").values()].flat()).toMatchObject([{ keys: "Ctrl Z" }]);
    expect([...findKeyRows(keyRows, "ctrl z").values()].flat().length).toBeGreaterThan(1);
    expect([...findKeyRows(keyRows, "outline rename").keys()]).toEqual(["Outline"]);
    expect(findKeyRows(keyRows, "nothing of the kind").size).toBe(0);
  });
});
