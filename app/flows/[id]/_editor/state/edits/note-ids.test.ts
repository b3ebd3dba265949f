import { expect, it } from "vitest";
import { layoutSchema } from "@/lib/core/flow/schemas/layout-schema";
import { openSession } from "../testing/open-session";

const source = `agents:
  a: { model: "demo:writer" }
swarm: { flow: a }
`;

function addNotes(count: number): string[] {
  const { actions, editor } = openSession(source);
  for (let index = 0; index < count; index++) actions.addNote({ x: index, y: 0 });
  const { layout } = editor.store.getState();
  expect(layoutSchema.safeParse(layout).error).toBeUndefined();
  return Object.keys(layout.notes ?? {});
}

it("gives the notes of two people who are apart other ids, from the first one on", () => {
  const ids = [...addNotes(12), ...addNotes(12)];
  expect(new Set(ids).size).toBe(24);
});
