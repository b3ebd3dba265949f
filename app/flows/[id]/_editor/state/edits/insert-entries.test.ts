import { describe, expect, it } from "vitest";
import { listInsertEntries } from "@/app/_kinds/registry";
import { errorsOf } from "@/lib/core/flow/problem";
import { readSource } from "@/lib/core/source/read-source";
import { rootFlowText } from "../root-flow-text";
import { openEditor } from "../testing/open-editor";
import { listReusable, toInsertEdit } from "./insert-target";

const start = `agents:\n  a: { model: "demo:x" }\n  b: { model: "demo:x" }\nswarm: { flow: a >> b }\n`;
const insertAll = (text: string, target: Parameters<typeof toInsertEdit>[2], fragment: string) => {
  const editor = openEditor(text);
  const problem = editor.dispatch([toInsertEdit(editor.store.getState(), fragment, target)]);
  return problem ? problem.message : editor.store.getState();
};

describe.each(listInsertEntries())("a new $id", ({ toFragment, id }) => {
  it("runs as it is, alone and in a link, as one step that can be undone", () => {
    for (const text of ["", start]) {
      const editor = openEditor(text);
      const { arrangement } = editor.store.getState();
      const key = arrangement.edges[0]?.key ?? "";
      expect(
        editor.dispatch([toInsertEdit(editor.store.getState(), toFragment("demo:x"), { type: "edge", key })]),
      ).toBeNull();
      const { problems, selection, flow } = editor.store.getState();
      // Only an approval holds no agent of its own.
      const expected = text === "" && id === "approval" ? ["no-agents"] : [];
      expect(errorsOf(problems).map(({ code }) => code)).toEqual(expected);
      expect(problems.map(({ code }) => code)).not.toContain("not-reached");
      expect(selection.length).toBeGreaterThan(0);
      expect(flow.agents.size + flow.controls.size).toBeGreaterThan(0);
      if (text !== "") expect(rootFlowText(editor.store.getState())).toMatch(/^a >> .+ >> b$/);
      editor.undo();
      expect(editor.store.getState().text).toBe(text);
    }
  });
});

describe("what is there already", () => {
  it("is used again where it is not a member yet", () => {
    const text = `${start.replace("a >> b", "a >> more")}groups:\n  more: { type: parallel, flow: b }\n`;
    const existing = listReusable(readSource(text).flow);
    expect(existing.map(({ name, kind }) => `${kind} ${name}`)).toEqual(["agent a", "agent b", "group more"]);
    const state = insertAll(text, { type: "selection" }, existing[1]?.fragment ?? "");
    expect(typeof state === "string" ? state : rootFlowText(state)).toBe("a >> more >> b");
    expect(insertAll(text, { type: "selection" }, existing[0]?.fragment ?? "")).toContain('"a" is in this part');
  });
});
