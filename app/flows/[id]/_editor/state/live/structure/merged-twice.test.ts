import { expect, it } from "vitest";
import * as Y from "yjs";
import type { Edit, Scope } from "@/lib/core/flow/edit";
import { membersOf } from "@/lib/core/kinds/registry";
import { toSettledUpdate } from "@/lib/core/settle/settle-structure";
import { openTogether } from "../../testing/open-together";
import { addAgent, bracesSource, listMistakes, removeAgent, structureSource } from "../../testing/structure-edits";

const root: Scope = { type: "root" };
const pair: Scope = { type: "group", name: "pair" };
const addBranch = (name: string): Edit => ({
  ...({ type: "add-control", control: "branch", scope: root, atEnd: true } as const),
  name,
  fields: { condition: "true", if_true: "w" },
});
const extract = (name: string, ...names: string[]): Edit => ({
  ...({ type: "extract-group", scope: root, group: "parallel" } as const),
  name,
  names,
});

type Together = ReturnType<typeof openTogether>;
type Step = readonly [person: number, act: Edit | "lose" | "connect" | "undo"];

function act({ members, lose, connect }: Together, steps: readonly Step[]): void {
  for (const [person, what] of steps) {
    const member = members[person];
    if (!member) throw new Error("A member is expected.");
    if (what === "lose") lose(member);
    else if (what === "connect") connect(member);
    else if (what === "undo") member.session.editor.undo();
    else expect(member.session.editor.dispatch([what])).toBeNull();
  }
}

/** All have the same flow, without a mistake. */
function readFlow({ texts, members }: Together) {
  const [text = ""] = texts();
  expect(new Set(texts()).size, texts().join("\n\n")).toBe(1);
  const { document, problems, flow } = members[0]?.session.editor.store.getState() ?? {};
  expect([document?.broken, document?.unreadableRanges, listMistakes(problems ?? [])], text).toEqual([false, [], []]);
  return { text, members: flow ? membersOf(flow.swarm) : [] };
}

it("who merge each other's results at the same time come to rest, and keep the members of all", () => {
  const together = openTogether(bracesSource, 3, { clients: [103, 102, 101] });
  act(together, [
    [0, extract("g", "d", "team")],
    [0, { type: "connect", scope: root, from: "pair", to: "w" }],
    [2, addBranch("k2")],
    [0, addBranch("k3")],
    [1, addAgent("x", "team", root)],
    [0, { type: "delete-nodes", scope: root, names: ["b"], declarations: true }],
    [1, { type: "move-member", name: "team", from: root, scope: root, at: { member: "d", side: "after" } }],
    [1, addAgent("y", "c", root)],
  ]);
  let changes = 0;
  together.server.on("update", () => changes++);
  together.settle({ isInTurn: true });
  expect(readFlow(together).members.toSorted()).toEqual(["a", "c", "g", "k2", "k3", "pair", "w", "x", "y"]);
  expect(changes).toBeLessThan(maxChanges);
});

/** It took 157 where each result was merged with the others, and 101 where only what people wrote is. */
const maxChanges = 120;

it.each([
  ["with spaces", bracesSource],
  ["without spaces", bracesSource.replace('{ pair: { flow: "p | q" } }', "{pair: {flow: p | q}}")],
])(
  "keep what one declares in braces %s, where others take all out of them and undo what they wrote there",
  (_, source) => {
    const together = openTogether(source, 3, { clients: [103, 102, 101] });
    act(together, [
      [0, "lose"],
      [2, "lose"],
      [2, { type: "inline", scope: root, name: "pair" }],
      [0, addAgent("n", "q", pair)],
      [1, extract("g", "c")],
      [2, extract("h", "p")],
      [2, "undo"],
      [0, "connect"],
      [2, "connect"],
    ]);
    together.settle();
    expect(readFlow(together).text).toMatch(/^groups: \{ ?g: \{ type: parallel, flow: c \}[^\n]*\}$/m);
  },
);

it("keep a branch whose section someone else added at the same time and took out again", () => {
  const together = openTogether(structureSource, 2, { clients: [101, 102] });
  act(together, [
    [0, addBranch("k1")],
    [0, "undo"],
    [1, addBranch("k2")],
  ]);
  together.settle({ isInTurn: true });
  const { text, members } = readFlow(together);
  expect(text).toMatch(/^branches:\n {2}k2:$/m);
  expect(members).toContain("k2");
});

it("keep an agent after one that is named like a section and deleted", () => {
  const together = openTogether(structureSource.replace("  w: {", "  groups: {"), 2, { clients: [101, 102] });
  act(together, [
    [0, addAgent("fresh", "d", root)],
    [0, removeAgent("groups")],
  ]);
  together.settle();
  act(together, [[1, addAgent("next", "a", root)]]);
  together.settle();
  const { text } = readFlow(together);
  expect(text.match(/^groups:/gm)).toHaveLength(1);
  expect(text).toMatch(/^agents:\n(?: {2}.*\n)* {2}fresh:\n/m);
});

it("keep what someone types in braces while someone else deletes something", () => {
  const source = structureSource.replace('w: { model: "demo:writer" }', 'w: { model: "demo:writer", tools: [x, y] }');
  const together = openTogether(source, 2, { clients: [101, 102] });
  act(together, [[0, removeAgent("a")]]);
  together.settle();
  const editor = together.members[1]?.session.editor;
  for (const letter of [",", "z", "z"]) {
    const { text } = editor?.store.getState() ?? { text: "" };
    const from = text.indexOf(letter === "," ? "x, y" : ",x, y");
    editor?.typeText(text.slice(0, from) + letter + text.slice(from), [{ from, to: from, insert: letter }]);
    together.settle();
    const state = Y.encodeStateAsUpdate(together.server);
    const settled = toSettledUpdate({ state, previous: text, client: 9 });
    if (settled) Y.applyUpdate(together.server, settled);
    together.settle();
  }
  expect(together.texts()[0]).toContain("tools: [zz,x, y]");
});
