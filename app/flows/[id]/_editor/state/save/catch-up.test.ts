import { expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { openSession } from "../testing/open-session";
import type { SaveWire } from "./autosave-driver";
import { catchUp } from "./catch-up";
import { resolveConflict } from "./resolve-conflict";
import type { Theirs } from "./snapshot";

const source = 'name: Kept\nagents:\n  a: { model: "demo:x" }\nswarm: { flow: a }\n';
const theirs: Theirs = { source: source.replace("Kept", "Kept by Bob"), layout: emptyLayout, revision: "r2" };

/** A server that answers what it has when the test says so. */
function openSlowly() {
  let answer: (theirs: Theirs) => void = () => {};
  const wire: SaveWire = {
    save: async () => ({ type: "succeeded", revision: "r3" }),
    current: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  };
  const session = openSession(source, {}, { wire });
  return { session, answer: (): void => answer(theirs) };
}

it("undo does not remove what others saved before this page was open", async () => {
  const { session, answer } = openSlowly();
  const done = catchUp(session);
  await Promise.resolve();
  answer();
  await done;
  expect(session.editor.store.getState().flow.name).toBe("Kept by Bob");
  expect(session.editor.store.getState().history.canUndo).toBe(false);
  session.editor.undo();
  expect(session.editor.store.getState().flow.name).toBe("Kept by Bob");
  expect(session.autosave.store.getState()).toMatchObject({ phase: "saved", revision: "r2" });
});

it("leaves the shared text that was opened before the server answered", async () => {
  const { session, answer } = openSlowly();
  const done = catchUp(session);
  await Promise.resolve();
  session.live.setLink({ save: null, tell: () => {} });
  answer();
  await done;
  expect(session.editor.store.getState().flow.name).toBe("Kept");
});

it("undo of merged changes removes the user's own alone", async () => {
  const { editor, autosave, ...session } = openSession(source);
  editor.dispatch([{ type: "set-agent-field", name: "a", field: "max_steps", value: 7 }]);
  autosave.apply({ type: "edited", current: { source: editor.store.getState().text, layout: emptyLayout } });
  autosave.apply({ type: "conflicted", theirs });
  await resolveConflict({ ...session, editor, autosave });
  expect(editor.store.getState().flow.agents.get("a")?.max_steps).toBe(7);
  editor.undo();
  expect(editor.store.getState().text).toBe(theirs.source);
});
