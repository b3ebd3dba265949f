import { expect, it, vi } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { isEnabled, usableCommands } from "../../commands/registry";
import type { SaveWire } from "../save/autosave-driver";
import { catchUp } from "../save/catch-up";
import { openSession } from "../testing/open-session";

const source = 'name: Kept\nagents:\n  a: { model: "demo:x" }\nswarm: { flow: a }\n';
const reader = { team: "t", mayRun: false, mayEdit: false, mayManage: false };

it("changes nothing for a user who may only read", async () => {
  const { editor, actions, autosave } = openSession(source, { access: reader });
  const before = editor.store.getState();
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  editor.typeText("name: Other");
  editor.replace("name: Other", emptyLayout);
  editor.undo();
  editor.redo();
  expect(editor.dispatch([{ type: "set-flow-name", name: "Other" }])?.message).toContain("You may read this flow");
  expect(actions.edit({ type: "set-direction", direction: "down" })).toBe(false);
  actions.addAgent();
  expect(editor.store.getState()).toBe(before);
  // Even a change that came about in another way is not sent.
  autosave.apply({ type: "edited", current: { source: "name: Other", layout: emptyLayout } });
  expect(await autosave.flush()).toBe(false);
  expect(fetched).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});

it("shows what an editor has saved", async () => {
  const theirs = { source: source.replace("Kept", "Changed"), layout: emptyLayout, revision: "r2" };
  const wire: SaveWire = { save: async () => ({ type: "succeeded", revision: "r3" }), current: async () => theirs };
  const session = openSession(source, { access: reader }, { wire });
  await catchUp(session);
  const { editor } = session;
  expect(editor.store.getState().flow.name).toBe("Changed");
});

it("offers no command that changes or runs the flow", () => {
  const session = openSession(source, { access: reader });
  session.editor.select(["a"]);
  const ids = usableCommands(session).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["copy", "fit", "export", "versions", "search"]));
  const refused = ["run", "simulate", "add-agent", "add-note", "cut", "paste", "delete", "import", "format", "members"];
  expect(ids.filter((id) => refused.includes(id))).toEqual([]);
  const editing = openSession(source, { access: { ...reader, mayEdit: true } });
  expect(usableCommands(editing).some(({ id }) => id === "add-agent")).toBe(true);
  expect(
    usableCommands(editing).filter((command) => command.needs === "mayRun" && isEnabled(command, editing)),
  ).toEqual([]);
});
