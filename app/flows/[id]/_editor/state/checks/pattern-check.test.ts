import { describe, expect, it, vi } from "vitest";
import { findPatternMistake } from "@/lib/core/condition/pattern";
import { openEditor } from "../testing/open-editor";
import { createPatternCheck } from "./pattern-check";

const flowWith = (condition: string): string => `name: f
agents: { a: { model: "demo:a" } }
branches: { b: { condition: ${JSON.stringify(condition)}, if_true: a } }
swarm: { type: workflow, flow: b }
`;

/** An editor that checks patterns, and what it loads for that. */
function open(condition: string) {
  const load = vi.fn(async () => ({ findPatternMistake }));
  const check = createPatternCheck(() => editor.recheck(), load);
  const editor = openEditor(flowWith(condition), { offer: { checkPattern: check } });
  const codes = () => editor.store.getState().problems.map(({ code }) => code);
  return { editor, codes, load };
}

describe("patterns in an editor", () => {
  it("loads nothing for conditions without one", () => {
    const { load, codes } = open('contains(input, "yes")');
    expect(codes()).toEqual([]);
    expect(load).not.toHaveBeenCalled();
  });

  it("reports a mistake once it is loaded, and loads once", async () => {
    const { editor, load, codes } = open('matches(input, "(") or matches(input, ")")');
    expect(codes()).toEqual([]);
    await vi.waitFor(() => expect(codes()).toEqual(["invalid-condition", "invalid-condition"]));
    expect(load).toHaveBeenCalledTimes(1);
    expect(editor.store.getState().history.past).toEqual([]);
    editor.typeText(flowWith('matches(input, "[")'));
    expect(codes()).toEqual(["invalid-condition"]);
    editor.typeText(flowWith('matches(input, "a+")'));
    expect(codes()).toEqual([]);
  });
});
