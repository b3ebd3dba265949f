import { expect, it } from "vitest";
import * as Y from "yjs";
import { openTogether } from "../../testing/open-together";

const source = `name: Shared
agents:
  a: { model: "demo:writer" }
swarm:
  type: workflow
  flow: a
`;

/** Adds agents in turns. Returns how many bytes each edit has, and what is in the document in the end. */
function addAgents(count: number, people: number) {
  const together = openTogether(source, people);
  const sizes: number[] = [];
  for (let index = 0; index < count; index++) {
    const member = together.members[index % people];
    if (!member) throw new Error("A member is expected.");
    const scope = { type: "root" } as const;
    member.session.editor.dispatch([
      { type: "add-agent", name: `n${index}`, model: "demo:writer", scope, atEnd: true },
    ]);
    sizes.push(member.toServer.reduce((sum, { length }) => sum + length, 0));
    together.settle();
  }
  const [text = ""] = together.texts();
  const line = text.split("\n").find((one) => one.startsWith("  flow:")) ?? "";
  return { sizes, line, text, state: Y.encodeStateAsUpdate(together.server).length };
}

it.each([
  [150, 1],
  [45, 3],
])("of %i edits by %i people the last one has notes of less than 600 bytes", { timeout: 120_000 }, (count, people) => {
  const { sizes, line, text, state } = addAgents(count, people);
  expect(text.match(/n\d+:/g)).toHaveLength(count);
  // The line of the flow is written as a whole, and noted as it was before and as it is.
  expect((sizes.at(-1) ?? 0) - 3 * line.length).toBeLessThan(600);
  expect(state).toBeLessThan(135_000);
});
