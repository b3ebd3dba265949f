import { describe, expect, it, onTestFinished } from "vitest";
import { followEdits } from "../follow-edits";
import { openSession } from "../testing/open-session";
import { keepFlow, watchEmptying } from "./emptying";

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

describe("a flow that the user keeps when asked whether it is to be empty", () => {
  const template = "name: Untitled flow\nagents:\nswarm:\n  type: workflow\n";
  const open = (text: string) => {
    const session = openSession(text);
    const { editor, autosave } = session;
    onTestFinished(followEdits(session));
    onTestFinished(autosave.stop);
    const read = () => ({ text: editor.store.getState().text, phase: autosave.store.getState().phase });
    const store = (): void => {
      autosave.apply({ type: "sent" });
      autosave.apply({ type: "succeeded", revision: "r2" });
    };
    return { session, editor, read, store };
  };

  it("comes back by undo where the user deleted everything, also with what was not stored yet", () => {
    const { session, editor, read } = open(source);
    const longer = source.replace("Kept", "Kept longer");
    editor.typeText(longer);
    editor.dispatch([{ type: "set-direction", direction: "down" }]);
    editor.typeText("");
    expect(read().phase).toBe("emptying");
    keepFlow(session);
    expect(read()).toEqual({ text: longer, phase: "unsaved" });
    expect(editor.store.getState().history.canRedo).toBe(true);
  });

  it("comes back as it is stored where undo went back past its creation, as a step", () => {
    const { session, editor, read, store } = open(template);
    editor.typeText(source);
    store();
    editor.undo();
    expect(read()).toEqual({ text: template, phase: "emptying" });
    keepFlow(session);
    expect(read()).toEqual({ text: source, phase: "saved" });
    editor.undo();
    expect(read()).toEqual({ text: template, phase: "emptying" });
    editor.redo();
    expect(read()).toEqual({ text: source, phase: "saved" });
  });

  it("comes back where the server refused a text that undo left", () => {
    const one = 'agents:\n  a: { model: "demo:writer" }\n';
    const { session, editor, read, store } = open("");
    editor.typeText(one);
    store();
    editor.undo();
    session.autosave.apply({ type: "sent" });
    session.autosave.apply({ type: "refused-empty" });
    expect(read()).toEqual({ text: "", phase: "emptying" });
    keepFlow(session);
    expect(read()).toEqual({ text: one, phase: "saved" });
  });
});
