import { expect, it, vi } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { openField, openTogether } from "../testing/open-together";
import { dropTwin } from "./drop-twin";

const source = `name: Shared
agents:
  earlier:
    model: "demo:writer"
    instructions: |-
      OneTwo TwoOne
  a:
    model: "demo:writer"
    instructions: |-
      Write.
    max_steps: 5
swarm:
  type: workflow
  flow: earlier >> a
`;
const setInstructions = (value: string): Edit => ({ type: "set-agent-field", name: "a", field: "instructions", value });

/** The first one wrote without a connection what the other one wrote as well. */
function meet(own: string, others: string) {
  const together = openTogether(source, 2);
  const [returning, staying] = together.members;
  if (!returning || !staying) throw new Error("Two members are expected.");
  together.lose(returning);
  openField(returning.session, setInstructions).type(own);
  openField(staying.session, setInstructions).type(others);
  together.settle();
  together.connect(returning);
  returning.session.live.store.setState({ status: "reconnecting" });
  together.settle();
  const [twin, ...rest] = returning.session.live.store.getState().twins;
  if (!twin) throw new Error("A question is expected.");
  expect(rest).toEqual([]);
  return { together, session: returning.session, twin };
}

it("drops a text in its field where the same letters are also elsewhere", () => {
  const { together, session, twin } = meet("One", "Two");
  expect(twin.parts.map(({ text }) => text).toSorted()).toEqual(["One", "Two"]);
  const [, second] = twin.parts;
  expect(dropTwin(session, twin, second)).toBe(true);
  together.settle();
  for (const text of together.texts()) expect(text).toBe(source.replace("Write.", `Write.${twin.parts[0].text}`));
});

it("drops nothing when the texts were changed meanwhile", () => {
  const { together, session, twin } = meet("One", "Two");
  const before = openField(session, setInstructions).text;
  session.editor.dispatch([setInstructions(before.replace(/(One|Two)$/, "Three"))]);
  const { text } = session.editor.store.getState();
  expect(dropTwin(session, twin, twin.parts[0])).toBe(false);
  expect(session.editor.store.getState().text).toBe(text);
  together.settle();
});

it.each([
  ["lines", '\n    model: "demo:writer"\n'],
  ["braces", ' { model: "demo:writer" }\n'],
])("texts of a field that two people added at different places are both in it: %s", (_, agent) => {
  const together = openTogether(`agents:\n  a:${agent}swarm:\n  type: workflow\n  flow: a\n`, 2);
  const [returning, staying] = together.members;
  if (!returning || !staying) throw new Error("Two members are expected.");
  const told = together.members.map(({ session }) => vi.spyOn(session.notify, "info"));
  const set = (field: "temperature" | "max_steps" | "max_retries", value: number): Edit => ({
    type: "set-agent-field",
    name: "a",
    field,
    value,
  });
  together.lose(returning);
  returning.session.editor.dispatch([set("temperature", 0.5)]);
  openField(returning.session, setInstructions).type("XXXX");
  returning.session.editor.dispatch([set("max_steps", 3)]);
  openField(staying.session, setInstructions).type("YYYY");
  staying.session.editor.dispatch([set("max_retries", 1)]);
  together.settle();
  together.connect(returning);
  together.settle();
  const [text, ...others] = together.texts();
  for (const other of others) expect(other).toBe(text);
  const { flow, document } = staying.session.editor.store.getState();
  expect(document.unreadableRanges).toEqual([]);
  expect(flow.agents.get("a")).toMatchObject({ temperature: 0.5, max_steps: 3, max_retries: 1 });
  expect(flow.agents.get("a")?.instructions).toMatch(/^(XXXX\s*YYYY|YYYY\s*XXXX)$/);
  expect(told.flatMap(({ mock }) => mock.calls.flat())).toContainEqual(expect.stringMatching(/added the same field/));
});
