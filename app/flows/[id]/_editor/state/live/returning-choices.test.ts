import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { LiveServer, loseConnection, type Page } from "../testing/live-server";

const source = `name: Tour
agents:
  planner: { model: "demo:planner", instructions: "Plan the work." }
  writer:
    model: "demo:writer"
    instructions: Write it up.
    max_steps: 5
swarm:
  type: workflow
  flow: planner >> writer
`;
const server = new LiveServer();
beforeAll(() => server.start());
afterAll(() => server.end());

const setLimit = (value: number): Edit => ({ type: "set-agent-field", name: "writer", field: "max_steps", value });
const rename = (to: string): Edit => ({ type: "rename", from: "writer", to });
const textOf = ({ session }: Page): string => session.editor.store.getState().text;

/** Both change the flow, the second one offline, who then returns. Returns what each of them is told. */
async function meet(text: string, edits: readonly [Edit, Edit]) {
  const { id, ann: staying, bob: returning } = await server.openTwo(text);
  const told = [staying, returning].map(({ session }) => vi.spyOn(session.notify, "info"));
  await loseConnection(returning);
  [staying, returning].forEach(({ session }, index) => {
    expect(session.editor.dispatch(edits.slice(index, index + 1))).toBeNull();
  });
  await staying.session.autosave.flush();
  returning.setOnline(true);
  await expect.poll(() => told.flatMap(({ mock }) => mock.calls).length).toBeGreaterThan(0);
  await expect.poll(async () => new Set([textOf(staying), textOf(returning), await server.getSource(id)]).size).toBe(1);
  return { text: textOf(staying), told: told.map(({ mock }) => mock.calls.flat()) };
}

// The ids of the documents, which decide, are random: mostly each side loses once.
describe.each([1, 2, 3, 4])("who loses a value after a return is told (%i)", () => {
  it.each<[what: string, text: string, edits: [Edit, Edit], values: [string, string]]>([
    ["set by both", source, [setLimit(7), setLimit(3)], ["7", "3"]],
    ["added by both", source.replace("    max_steps: 5\n", ""), [setLimit(7), setLimit(3)], ["7", "3"]],
    ["a name", source, [rename("scribe"), rename("author")], ["scribe", "author"]],
  ])("%s", async (_, before, edits, [first, second]) => {
    const { text, told } = await meet(before, edits);
    const isFirstKept = text.includes(first);
    const [kept, dropped] = isFirstKept ? [first, second] : [second, first];
    const loser = isFirstKept ? 1 : 0;
    const message = new RegExp(`^Someone else set .* to ${kept} at the same time. Your ${dropped} was not kept.$`);
    expect(text).not.toContain(dropped);
    expect(told[loser]).toEqual([expect.stringMatching(message)]);
    expect(told[1 - loser]).toEqual([]);
  });
});
