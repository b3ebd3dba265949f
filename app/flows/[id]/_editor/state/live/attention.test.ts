import { expect, it, vi } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import type { Peer } from "@/lib/core/live/messages";
import { openField, openTogether } from "../testing/open-together";
import { writeLost } from "./attention";
import type { LostWriting } from "./live";
import { putBack } from "./put-back";

const source = `name: Shared
agents:
  a: { model: "demo:writer" }
  b:
    model: "demo:writer"
    instructions: |-
      Read.
swarm:
  type: workflow
  flow: a >> b
`;
const toPeer = (name: string): Peer => ({ id: name, userId: name, name, color: 0, canWrite: true, presence: null });
const setInstructions = (value: string): Edit => ({ type: "set-agent-field", name: "b", field: "instructions", value });
const deleteAgent = (name: string): Edit => ({
  type: "delete-nodes",
  scope: { type: "root" },
  names: [name],
  declarations: true,
});

/** Ann is in the instructions of `b`, which Bob has received, when Bob changes the flow. */
function change(...edits: Edit[]) {
  const together = openTogether(source, 2);
  const [ann, bob] = together.members;
  if (!ann || !bob) throw new Error("Two members are expected.");
  for (const [{ session }, name] of [
    [ann, "Ann"],
    [bob, "Bob"],
  ] as const)
    session.live.store.setState({ self: toPeer(name) });
  ann.session.editor.select(["b"]);
  const field = openField(ann.session, setInstructions);
  field.type(" All of it.");
  ann.session.live.field.enter({ isConnected: true }, () => ({ text: field.text, caret: field.caret }));
  together.settle();
  return {
    together,
    ann: ann.session,
    field,
    act(): void {
      bob.session.editor.dispatch(edits);
      together.settle();
    },
  };
}

it("tells who writes in the form of an agent that someone else deletes, with the text", () => {
  const { together, ann, act } = change(deleteAgent("b"));
  act();
  const { lost } = ann.live.store.getState();
  expect(lost).toMatchObject([{ owner: "b", by: "Bob", text: "Read. All of it." }]);
  expect(ann.view.getState().dialog).toBeNull();
  expect(lost[0] && putBack(ann, lost[0])).toBeNull();
  together.settle();
  expect(together.texts()[0]).toContain("Read. All of it.");
});

it("keeps what is typed on after the form is gone, and puts it back with the agent", () => {
  const { together, ann, act } = change(deleteAgent("b"));
  act();
  const writing = (): LostWriting => {
    const [first, ...others] = ann.live.store.getState().lost;
    if (!first) throw new Error("A text is expected.");
    expect(others).toEqual([]);
    return first;
  };
  expect(writing()).toMatchObject({ text: "Read. All of it.", caret: "Read. All of it.".length });
  for (const letter of " And more") {
    const { text } = writing();
    writeLost(ann, writing(), { text: text + letter, caret: text.length + 1 });
  }
  expect(putBack(ann, writing())).toBeNull();
  together.settle();
  for (const text of together.texts()) expect(text).toBe(source.replace("Read.", "Read. All of it. And more"));
});

it("tells once where letters had not arrived", () => {
  const { ann, field, act } = change(deleteAgent("b"));
  field.type(" More");
  act();
  expect(ann.live.store.getState().lost).toMatchObject([{ owner: "b", text: "Read. All of it. More" }]);
});

it("tells nothing of an agent that is renamed, or of another one, or where no one is in the form", () => {
  for (const edit of [{ type: "rename", from: "b", to: "c" } as const, deleteAgent("a")]) {
    const { ann, act } = change(edit);
    act();
    expect(ann.live.store.getState().lost).toEqual([]);
  }
  const { ann, act } = change(deleteAgent("b"));
  ann.live.field.leave();
  act();
  expect(ann.live.store.getState().lost).toEqual([]);
});

it("names who deleted what is selected", () => {
  const { ann, act } = change(deleteAgent("b"));
  const told = vi.spyOn(ann.notify, "info");
  ann.live.field.leave();
  act();
  expect(told.mock.calls).toEqual([['Bob deleted "b".']]);
});

it("names who deleted a member of what this user grouped at the same time", () => {
  const { ann, act } = change(deleteAgent("b"));
  const told = vi.spyOn(ann.notify, "info");
  ann.live.field.leave();
  ann.editor.dispatch([{ type: "wrap-parallel", scope: { type: "root" }, names: ["a", "b"] }]);
  ann.editor.select(
    ann.editor.store.getState().arrangement.nodes.flatMap(({ name, key }) => (name === "b" ? [key] : [])),
  );
  act();
  expect(told.mock.calls).toEqual([['Bob deleted "b".']]);
});
