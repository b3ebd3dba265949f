import { describe, expect, it } from "vitest";
import { readCanvasKey } from "./canvas-keys";

describe("readCanvasKey", () => {
  const stroke = { code: "", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
  it("redoes with Ctrl+Shift+Z whatever case the letter has", () => {
    for (const key of ["z", "Z"])
      expect(readCanvasKey({ ...stroke, key, ctrlKey: true, shiftKey: true })).toEqual({ type: "redo" });
    expect(readCanvasKey({ ...stroke, key: "z", metaKey: true })).toEqual({ type: "undo" });
    expect(readCanvasKey({ ...stroke, key: "y", ctrlKey: true })).toEqual({ type: "redo" });
  });

  it("nudges with Alt and Shift", () => {
    expect(readCanvasKey({ ...stroke, key: "ArrowUp", altKey: true, shiftKey: true })).toEqual({
      type: "nudge",
      direction: "up",
      resizes: false,
    });
    expect(readCanvasKey({ ...stroke, key: "ArrowDown", ctrlKey: true, shiftKey: true })).toMatchObject({
      resizes: true,
    });
  });

  it("reads the keys of structure: down goes on, right goes beside", () => {
    expect(readCanvasKey({ ...stroke, key: "ArrowDown", ctrlKey: true })).toEqual({ type: "add", side: "after" });
    expect(readCanvasKey({ ...stroke, key: "ArrowRight", ctrlKey: true })).toEqual({ type: "add", side: "lane" });
  });

  it("gives up single keys when they are switched off, and no others", () => {
    for (const key of ["c", "e", "p", "?"]) {
      expect(readCanvasKey({ ...stroke, key })).not.toBeNull();
      expect(readCanvasKey({ ...stroke, key }, false)).toBeNull();
    }
    for (const key of ["Enter", " ", "Delete", "ArrowDown", "Escape"])
      expect(readCanvasKey({ ...stroke, key }, false)).not.toBeNull();
  });

  it("leaves the browser its keys", () => {
    for (const key of ["r", "t", "w"]) expect(readCanvasKey({ ...stroke, key, ctrlKey: true })).toBeNull();
    expect(readCanvasKey({ ...stroke, key: "ArrowLeft", altKey: true })).toBeNull();
    expect(readCanvasKey({ ...stroke, key: "Tab" })).toBeNull();
    expect(readCanvasKey({ ...stroke, key: "constructor" })).toBeNull();
  });
});
