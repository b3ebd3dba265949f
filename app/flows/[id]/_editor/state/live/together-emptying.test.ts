import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { followEdits } from "../follow-edits";
import { keepFlow } from "../save/emptying";
import type { Session } from "../session";
import { openTogether } from "../testing/open-together";

const source = `name: Shared
agents:
  a: { model: "demo:writer", instructions: "Write." }
  b: { model: "demo:writer", instructions: "Read." }
swarm: { type: workflow, flow: a >> b }
`;

function openTwo() {
  const together = openTogether(source, 2, { watch: followEdits });
  const [ann, bob] = together.members;
  if (!ann || !bob) throw new Error("Two members are expected.");
  ann.session.editor.typeText("");
  together.settle();
  return { together, ann: ann.session, bob: bob.session };
}

const textOf = ({ editor }: Session): string => editor.store.getState().text;
const setInstructions = (value: string) =>
  ({ type: "set-agent-field", name: "b", field: "instructions", value }) as const;

describe("a flow that someone empties", () => {
  it("stays for the others while the question is open, and is emptied once it is agreed", () => {
    const { together, ann, bob } = openTwo();
    expect([textOf(ann), textOf(bob)]).toEqual(["", source]);
    expect(ann.autosave.store.getState().phase).toBe("emptying");
    ann.autosave.apply({ type: "emptying-agreed" });
    together.settle();
    expect(together.texts()).toEqual(["", "", ""]);
    ann.autosave.stop();
  });

  it("has what others wrote meanwhile when it is kept", () => {
    const { together, ann, bob } = openTwo();
    bob.editor.dispatch([setInstructions("Read it.")]);
    together.settle();
    expect(textOf(ann)).toBe("");
    ann.editor.undo();
    together.settle();
    const expected = source.replace("Read.", "Read it.");
    expect(together.texts()).toEqual([expected, expected, expected]);
    expect(ann.editor.store.getState().history.canUndo).toBe(false);
    ann.autosave.stop();
    bob.autosave.stop();
  });

  it("is not emptied where others changed it meanwhile", () => {
    const { together, ann, bob } = openTwo();
    bob.editor.dispatch([setInstructions("Read it.")]);
    together.settle();
    ann.autosave.apply({ type: "emptying-agreed" });
    together.settle();
    const expected = source.replace("Read.", "Read it.");
    expect(together.texts()).toEqual([expected, expected, expected]);
    ann.editor.undo();
    together.settle();
    expect(together.texts()).toEqual([expected, expected, expected]);
    ann.autosave.stop();
    bob.autosave.stop();
  });

  it("is the same for all when others write before a long text is read", () => {
    const long = source + "# A long comment.\n".repeat(14_000);
    const together = openTogether(long, 2, { watch: followEdits });
    const [ann, bob] = together.members;
    if (!ann || !bob) throw new Error("Two members are expected.");
    ann.session.editor.typeText(long.slice(0, 60_000));
    bob.session.editor.dispatch([setInstructions("Read it.")]);
    together.settle();
    const [text = "", ...others] = together.texts();
    expect(text).toContain("Read it.");
    expect(text.length).toBeLessThan(70_000);
    for (const other of others) expect(other).toBe(text);
    for (const { session } of [ann, bob]) session.autosave.stop();
  });

  it("is not emptied by undo where others wrote in what would go", () => {
    const template = "name: Untitled flow\nagents:\nswarm:\n  type: workflow\n";
    const together = openTogether(template, 2, { watch: followEdits });
    const [ann, bob] = together.members;
    if (!ann || !bob) throw new Error("Two members are expected.");
    ann.session.editor.typeText(source, [{ from: 0, to: template.length, insert: source }]);
    together.settle();
    bob.session.editor.dispatch([setInstructions("Read it.")]);
    together.settle();
    const expected = source.replace("Read.", "Read it.");
    for (let steps = 0; steps < 3; steps++) {
      ann.session.editor.undo();
      together.settle();
      expect(together.texts()).toEqual([expected, expected, expected]);
    }
    expect(ann.session.autosave.store.getState().phase).not.toBe("emptying");
    for (const { session } of [ann, bob]) session.autosave.stop();
  });

  it.each(["keeps", "has to keep"])("by undo stays, with what others wrote meanwhile, when the user %s it", (how) => {
    const template = "name: Untitled flow\nagents:\nswarm:\n  type: workflow\n";
    const together = openTogether(template, 2, { watch: followEdits });
    const [ann, bob] = together.members.map(({ session }) => session);
    if (!ann || !bob) throw new Error("Two members are expected.");
    ann.editor.typeText(source, [{ from: 0, to: template.length, insert: source }]);
    ann.autosave.apply({ type: "sent" });
    ann.autosave.apply({ type: "succeeded", revision: "r2" });
    together.settle();
    ann.editor.undo();
    together.settle();
    expect([textOf(ann), textOf(bob)]).toEqual([template, source]);
    bob.editor.dispatch([setInstructions("Read it.")]);
    together.settle();
    if (how === "keeps") keepFlow(ann);
    else ann.autosave.apply({ type: "emptying-agreed" });
    together.settle();
    const expected = source.replace("Read.", "Read it.");
    expect(together.texts()).toEqual([expected, expected, expected]);
    for (const { autosave } of [ann, bob]) autosave.stop();
  });

  it("is replaced for all by another flow that the user writes instead", () => {
    const { together, ann } = openTwo();
    const next = 'agents:\n  c: { model: "demo:writer" }\n';
    ann.editor.typeText("age");
    together.settle();
    expect(together.texts()[0]).toBe(source);
    ann.editor.typeText(next);
    together.settle();
    expect(together.texts()).toEqual([next, next, next]);
    expect(ann.autosave.store.getState().current).toEqual({ source: next, layout: emptyLayout });
    ann.autosave.stop();
  });
});
