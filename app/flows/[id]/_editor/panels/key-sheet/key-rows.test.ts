import { describe, expect, it } from "vitest";
import { editorCommands } from "../../commands/registry";
import { readCanvasKey } from "../canvas/canvas-keys";
import { findKeyRows, keyRows } from "./key-rows";

const plain = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, code: "" };

describe("the sheet of keys", () => {
  it("has every command that has keys", () => {
    const titles = keyRows.map(({ title }) => title);
    for (const { title, keys } of editorCommands) expect(titles.includes(title)).toBe(keys !== undefined);
  });

  it("says nothing twice", () => {
    const said = keyRows.map(({ group, keys }) => `${group} ${keys}`);
    expect(new Set(said).size).toBe(said.length);
  });

  it("says only letters that the canvas knows", () => {
    const letters = keyRows.flatMap(({ keys }) => keys.split(", ").filter((way) => /^[A-Z]$/.test(way)));
    expect(letters).toContain("E");
    for (const key of letters) expect(readCanvasKey({ ...plain, key: key.toLowerCase() })).not.toBeNull();
  });

  it("finds by title, key and group", () => {
    expect([...findKeyRows(keyRows, "undo").values()].flat()).toMatchObject([{ keys: "Ctrl Z" }]);
    expect([...findKeyRows(keyRows, "ctrl z").values()].flat().length).toBeGreaterThan(1);
    expect([...findKeyRows(keyRows, "outline rename").keys()]).toEqual(["Outline"]);
    expect(findKeyRows(keyRows, "nothing of the kind").size).toBe(0);
  });
});
