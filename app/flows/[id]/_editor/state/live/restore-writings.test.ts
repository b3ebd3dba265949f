import { describe, expect, it, vi } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import type { Session } from "../session";
import { openField, openTogether } from "../testing/open-together";
import { removeAgent } from "../testing/structure-edits";
import { writeLost } from "./attention";

const styles = {
  "in braces": ' { model: "demo:writer", instructions: "Hello" }\n',
  "as a block": '\n    model: "demo:writer"\n    instructions: |-\n      Hello\n',
};
const toSource = (agent: string): string =>
  `name: Shared\nagents:\n  a:${agent}  b: { model: "demo:writer" }\nswarm: { flow: a >> b }\n`;
const setInstructions = (value: string): Edit => ({ type: "set-agent-field", name: "a", field: "instructions", value });

function open(agent: string, clients: readonly number[] = [101, 102, 103]) {
  const together = openTogether(toSource(agent), 3, { clients });
  const [ann, bob, carl] = together.members;
  if (!ann || !bob || !carl) throw new Error("Three members are expected.");
  return { together, ann, bob, carl };
}

function expectText({ texts, members }: ReturnType<typeof openTogether>, text: string): void {
  const [file, ...others] = texts();
  for (const one of others) expect(one).toBe(file);
  for (const { session } of members) {
    const { document, flow } = session.editor.store.getState();
    expect([document.broken, document.unreadableRanges]).toEqual([false, []]);
    expect(flow.agents.get("a")?.instructions).toBe(text);
  }
}

function type(session: Session, letters: string): void {
  const field = openField(session, setInstructions);
  for (const letter of letters) field.type(letter);
  field.stop();
}

describe.each(Object.entries(styles))("an agent %s that someone deletes and restores by undo", (_, agent) => {
  it.each(["before", "between", "after"])("has what another person typed meanwhile, %s", (when) => {
    for (const clients of [
      [101, 102, 103],
      [103, 102, 101],
    ]) {
      const { together, ann, bob } = open(agent, clients);
      const told = vi.spyOn(ann.session.notify, "info");
      if (when !== "after") type(ann.session, "WORD");
      bob.session.editor.dispatch([removeAgent("a")]);
      if (when === "between") together.settle();
      bob.session.editor.undo();
      if (when === "after") type(ann.session, "WORD");
      together.settle();
      expectText(together, "HelloWORD");
      expect(ann.session.live.store.getState().lost).toEqual([]);
      expect(told.mock.calls).toEqual([["Someone else restored a. Your text is in it."]]);
    }
  });

  it("has it after a time offline, also where letters were deleted and others wrote in the restored agent", () => {
    const { together, ann, bob } = open(agent);
    together.lose(ann);
    openField(ann.session, setInstructions).replace(2, 5, "y you");
    bob.session.editor.dispatch([removeAgent("a")]);
    bob.session.editor.undo();
    type(bob.session, " Bye");
    together.settle();
    together.connect(ann);
    together.settle();
    expectText(together, "Hey you Bye");
  });

  it("has what two people typed, each once", () => {
    const { together, ann, bob, carl } = open(agent);
    type(ann.session, "ANN");
    while (together.deliver(ann, "toServer") || together.deliver(carl, "fromServer"));
    type(carl.session, "CARL");
    bob.session.editor.dispatch([removeAgent("a")]);
    bob.session.editor.undo();
    together.settle();
    expectText(together, "HelloANNCARL");
  });

  it.each([true, false])(
    "has what was typed on after the form was gone, the user is still in the field: %s",
    (isIn) => {
      const { together, ann, bob } = open(agent);
      const { session } = ann;
      session.editor.select(["a"]);
      const field = openField(session, setInstructions);
      field.type(" All");
      session.live.field.enter({ isConnected: true }, () => ({ text: field.text, caret: field.caret }));
      together.settle();
      bob.session.editor.dispatch([removeAgent("a")]);
      together.settle();
      const [writing] = session.live.store.getState().lost;
      if (!writing) throw new Error("A text is expected.");
      writeLost(session, writing, { text: "Hello All of it", caret: 9 });
      if (!isIn) session.live.field.leave();
      bob.session.editor.undo();
      together.settle();
      expectText(together, "Hello All of it");
      const { lost, resumed } = session.live.store.getState();
      expect(lost).toEqual([]);
      expect(resumed).toEqual(isIn ? { id: "a", by: null, field: writing.field, caret: 9 } : null);
    },
  );
});

it.each([true, false])("keeps a space that was typed last, before the form was gone: %s", (isBefore) => {
  const { together, ann, bob } = open(styles["in braces"]);
  const { session } = ann;
  session.editor.select(["a"]);
  const field = openField(session, setInstructions);
  if (isBefore) field.type(" ");
  const { text, caret } = field;
  session.live.field.enter({ isConnected: true }, () => ({ text, caret }));
  bob.session.editor.dispatch([removeAgent("a")]);
  together.settle();
  const [writing] = session.live.store.getState().lost;
  if (!writing) throw new Error("A text is expected.");
  writeLost(session, writing, { text: "Hello ", caret: 6 });
  bob.session.editor.undo();
  together.settle();
  expect(together.texts()[0]).toContain('"Hello "');
});

it("shows the text where someone adds another agent with the name", () => {
  const { together, ann, bob } = open(styles["in braces"]);
  type(ann.session, "WORD");
  bob.session.editor.dispatch([removeAgent("a")]);
  bob.session.editor.dispatch([{ type: "add-agent", name: "a", model: "demo:writer", scope: { type: "root" } }]);
  together.settle();
  expect(together.texts()[0]).not.toContain("WORD");
  expect(ann.session.live.store.getState().lost).toMatchObject([{ owner: "a", text: "HelloWORD" }]);
});
