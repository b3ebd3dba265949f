import { expect, it } from "vitest";
import { openSession } from "../testing/open-session";
import { watchEmptying } from "./emptying";

const source = `name: Kept
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
swarm: { type: workflow, flow: a >> b }
`;

it.each([
  ["a text that was deleted", "", true],
  ["a text without its parts", "name: Kept\nagents:\nswarm:\n  type: workflow\n", true],
  ["a text with one part left", source.replace(/ {2}a:.*\n/, ""), false],
  ["a text that cannot be read", "agents: {", false],
])("whether %s is held back", (_, text, expected) => {
  const session = openSession(source);
  const isEmptied = watchEmptying(session);
  expect(isEmptied()).toBe(false);
  session.editor.typeText(text);
  expect(isEmptied()).toBe(expected);
  session.editor.undo();
  expect(isEmptied()).toBe(false);
});

it("asks nothing once the user has agreed, or where there was hardly anything", () => {
  const session = openSession(source);
  const isEmptied = watchEmptying(session);
  session.editor.typeText("");
  session.autosave.apply({ type: "edited", current: { source: "", layout: { pins: {} } }, isEmptied: true });
  session.autosave.apply({ type: "emptying-agreed" });
  session.autosave.apply({ type: "sent" });
  session.autosave.apply({ type: "succeeded", revision: "r2" });
  expect(isEmptied()).toBe(false);
  const small = openSession('agents:\n  a: { model: "demo:writer" }\n');
  const isSmallEmptied = watchEmptying(small);
  small.editor.typeText("");
  expect(isSmallEmptied()).toBe(false);
});

it("holds back a text that was deleted while the one before it was being saved", () => {
  const session = openSession(source);
  const isEmptied = watchEmptying(session);
  const longer = source.replace("Kept", "Kept longer");
  session.editor.typeText(longer);
  session.autosave.apply({ type: "edited", current: { source: longer, layout: { pins: {} } } });
  session.autosave.apply({ type: "sent" });
  session.editor.typeText("");
  session.autosave.apply({ type: "succeeded", revision: "r2" });
  expect(isEmptied()).toBe(true);
});
