import { describe, expect, it } from "vitest";
import type { Edit, Scope } from "@/lib/core/flow/edit";
import { openTogether } from "../../testing/open-together";
import { addAgent, bracesSource, listMistakes, listsSource, structureSource } from "../../testing/structure-edits";

const root: Scope = { type: "root" };
const pair: Scope = { type: "group", name: "pair" };
const extract: Edit = { type: "extract-group", scope: root, names: ["a", "b"], name: "g", group: "parallel" };
const inline: Edit = { type: "inline", scope: root, name: "pair" };
const connect: Edit = { type: "connect", scope: root, from: "pair", to: "w" };
const branch: Edit = {
  ...({ type: "add-control", control: "branch", name: "check", scope: root, atEnd: true } as const),
  fields: { condition: "true", if_true: "w" },
};

const fourAgents = (members: string): string =>
  `agents:\n${["a", "b", "c", "d"].map((name) => `  ${name}: { model: "demo:writer" }\n`).join("")}swarm:\n  type: workflow\n  ${members}\n`;

function openTwo(
  source: string,
  clients: readonly number[],
  [one, other]: readonly [readonly Edit[], readonly Edit[]],
) {
  const together = openTogether(source, 2, { clients });
  for (const [index, edits] of [one, other].entries())
    for (const edit of edits) expect(together.members[index]?.session.editor.dispatch([edit])).toBeNull();
  together.settle();
  return together;
}

/** All have the same text, which is without mistakes. */
function expectReadable({ texts, members }: ReturnType<typeof openTogether>): string {
  const [text = ""] = texts();
  expect(new Set(texts()).size).toBe(1);
  for (const { session } of members) {
    const { document, problems } = session.editor.store.getState();
    expect([document.broken, document.unreadableRanges], text).toEqual([false, []]);
    expect(listMistakes(problems), text).toEqual([]);
  }
  return text;
}

describe.each([[[101, 102]], [[102, 101]]])(
  "what two people change at the same time can be read: documents %s",
  (clients) => {
    it.each<[string, string, Edit[], Edit[], string]>([
      [
        "a group after a list of members that gets one",
        listsSource,
        [extract],
        [{ type: "move-member", name: "c", from: root, scope: pair }],
        "\n    flow: a | b\n",
      ],
      [
        "a group after a list that gets a new agent",
        listsSource,
        [extract],
        [addAgent("n", "q", pair)],
        "\n    flow: a | b\n",
      ],
      [
        "a group beside one in braces that is inlined",
        bracesSource,
        [inline],
        [extract],
        "g: { type: parallel, flow: a | b }",
      ],
      [
        "the same, with an agent in it",
        bracesSource,
        [addAgent("n", "q", pair), extract],
        [inline],
        "g: { type: parallel, flow: a | b }",
      ],
    ])("%s", (_, source, one, other, expected) => {
      expect(expectReadable(openTwo(source, clients, [one, other]))).toContain(expected);
    });

    it("a flow of members and links keeps both, where one renames a member and one draws it as text", () => {
      const rename: Edit = { type: "rename", from: "d", to: "x" };
      const links = fourAgents("agents: [a, b, c, d]\n  edges: [[a, c], [b, c], [b, d]]");
      const together = openTwo(links, clients, [[rename], [{ type: "connect", scope: root, from: "a", to: "d" }]]);
      expect(expectReadable(together)).toContain("  flow: (a | b) >> (c | x)\n");
    });

    it.each<[string, Edit, Edit]>([
      ["a branch", branch, connect],
      ["an agent", addAgent("x"), connect],
    ])("undo of %s, where the flow is links now, is refused and leaves it as it is", (_, own, other) => {
      const together = openTwo(structureSource, clients, [[own], [other]]);
      const before = expectReadable(together);
      const [first] = together.members;
      first?.session.editor.undo();
      together.settle();
      expect(expectReadable(together)).toBe(before);
    });
  },
);
