import { describe, expect, it } from "vitest";
import { readCanvasKey } from "./canvas/canvas-keys";
import { editorCommands } from "./commands-table";

const plain = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, code: "" };

describe("the table of commands", () => {
  it("names every command once", () => {
    const ids = editorCommands.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const titles = editorCommands.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it("says single keys that the canvas knows", () => {
    const single = editorCommands.flatMap(({ keys }) => keys?.split(", ").filter((way) => way.length === 1) ?? []);
    expect(single).toContain("/");
    for (const key of single) expect(readCanvasKey({ ...plain, key })).not.toBeNull();
  });
});
