import { describe, expect, it } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { errorsOf } from "@/lib/core/flow/problem";
import { openTogether } from "../testing/open-together";

const source = `name: Shared
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
swarm:
  type: workflow
  flow: a >> b
`;

const addBranch = (name: string): Edit => ({
  type: "add-control",
  control: "branch",
  name,
  fields: { condition: "true", if_true: "a" },
  scope: { type: "root" },
  atEnd: true,
});

describe.each([
  ["at the same time", false],
  ["without a connection", true],
])("people who add the first entry of a section %s", (_, isOffline) => {
  it.each<[string, edits: readonly [Edit[], Edit[], Edit[]], expected: RegExp]>([
    [
      "limits",
      [
        [{ type: "set-limit", field: "max_cost", value: 2 }],
        [{ type: "set-limit", field: "max_seconds", value: 30 }],
        [{ type: "set-limit", field: "max_tokens", value: 500 }],
      ],
      /limits:\n(?: {2}(?:max_cost: 2|max_seconds: 30|max_tokens: 500)\n){3}/,
    ],
    [
      "vars",
      [
        [{ type: "set-var", name: "tone", value: "mild" }],
        [{ type: "set-var", name: "n", value: 3 }],
        [
          { type: "set-flow-description", text: "Other" },
          { type: "set-var", name: "style", value: "short" },
        ],
      ],
      // Where the section of one of them was at another place, comments may be left of it.
      /vars:\n(?: {2}(?:tone: "mild"|n: 3|style: "short"|# (?:n|style):.*)\n){3,}/,
    ],
    ["branches", [[addBranch("x")], [addBranch("y")], [addBranch("z")]], /branches:\n(?: {2}[xyz]:\n(?: {4}.*\n)+){3}/],
  ])("have all of them in one section: %s", (_name, edits, expected) => {
    // The ids of the documents, which decide about order, are random.
    for (let round = 0; round < 4; round++) {
      const together = openTogether(source, 3);
      if (isOffline) for (const member of together.members) together.lose(member);
      together.members.forEach(({ session }, index) => {
        expect(session.editor.dispatch(edits[index] ?? [])).toBeNull();
      });
      for (const member of together.members) together.connect(member);
      together.settle();
      const [text = "", ...others] = together.texts();
      for (const other of others) expect(other).toBe(text);
      if (!expected.test(text)) console.log(text);
      expect(text).toMatch(expected);
      const { document, problems } = together.members[0]?.session.editor.store.getState() ?? {};
      expect(document?.unreadableRanges).toEqual([]);
      const form = errorsOf(problems ?? []).filter(({ code }) => code === "invalid-value" || code === "yaml-syntax");
      expect(form).toEqual([]);
    }
  });
});
