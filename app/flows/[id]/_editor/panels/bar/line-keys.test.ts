import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { oneLine, toLineDiagnostics } from "./line-keys";

describe("a line", () => {
  it("stays one when a text of several lines is put in", () => {
    const state = EditorState.create({ doc: "a >> b", extensions: oneLine });
    const { state: next } = state.update({
      changes: { from: 6, insert: "\n  >> c\r\n>> d\n" },
      selection: { anchor: 6 },
    });
    expect(next.doc.toString()).toBe("a >> b   >> c >> d ");
  });

  it("marks problems that have a place, with their repair", () => {
    const fix = { title: "Mend", changes: [] };
    const found = toLineDiagnostics([
      { code: "not-an-arrow", severity: "error", message: "here", range: { from: 1, to: 2 }, fix },
      { code: "cycle", severity: "error", message: "nowhere" },
    ]);
    expect(found).toMatchObject([{ from: 1, to: 2, message: "here", actions: [{ name: "Mend" }] }]);
  });
});
