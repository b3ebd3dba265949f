import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { openTogether } from "../testing/open-together";

const source = `name: Shared
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
  c: { model: "demo:writer" }
  d: { model: "demo:writer" }
  x: { model: "demo:writer" }
  y: { model: "demo:writer" }
groups:
  g: { type: parallel, flow: "x | y" }
swarm:
  type: workflow
  flow: a >> b >> (c | d) >> g
# end
`;

const root = { type: "root" } as const;
const inGroup = { type: "group", name: "g" } as const;
const added = { type: "add-agent", model: "demo:writer" } as const;
const deleted = { type: "delete-nodes", declarations: true } as const;

/** `name`: of what is new. */
const toEdits = (name: string): Record<string, Edit> => ({
  "adds an agent at the end": { ...added, name, scope: root, atEnd: true },
  "adds an agent after another": { ...added, name, scope: root, after: "a" },
  "deletes an agent": { ...deleted, scope: root, names: ["b"] },
  "deletes a parallel agent": { ...deleted, scope: root, names: ["c"] },
  "makes agents parallel": { type: "wrap-parallel", scope: root, names: ["a", "b"] },
  "makes agents serial": { type: "wrap-serial", scope: root, names: ["c", "d"] },
  unwraps: { type: "unwrap", scope: root, names: ["c"] },
  "extracts a group": { type: "extract-group", scope: root, names: ["a", "b"], name, group: "serial" },
  "inlines a group": { type: "inline", scope: root, name: "g" },
  "renames an agent": { type: "rename", from: "b", to: `b ${name}` },
  "renames a member": { type: "rename", from: "x", to: `x ${name}` },
  "renames a group": { type: "rename", from: "g", to: `g ${name}` },
  moves: { type: "move-member", name: "a", from: root, scope: root, at: { member: "b", side: "after" } },
  "moves into a group": { type: "move-member", name: "b", from: root, scope: inGroup },
  "adds an agent to a group": { ...added, name, scope: inGroup, after: "x" },
  "deletes a member": { ...deleted, scope: inGroup, names: ["x"] },
  "deletes a group": { ...deleted, scope: root, names: ["g"] },
});

type Together = ReturnType<typeof openTogether>;

/** What is wrong with the file that all have; empty: nothing. */
function listFaults({ texts, members }: Together): string[] {
  const [text = "", ...others] = texts();
  const faults = others.some((other) => other !== text) ? ["the texts differ"] : [];
  const { document, problems } = members[0]?.session.editor.store.getState() ?? {};
  if (document?.broken !== false || document.unreadableRanges.length > 0) faults.push("it cannot be read");
  const mistakes = (problems ?? []).filter(({ code }) =>
    ["unknown-name", "unknown-key", "duplicate-name", "yaml-syntax"].includes(code),
  );
  return [...faults, ...mistakes.map(({ message }) => message)];
}

const pairs = Object.keys(toEdits("n")).flatMap((first) =>
  Object.keys(toEdits("m")).map((second) => [first, second] as const),
);

describe.each([
  ["in turn", false],
  ["at once", true],
])("two people change the flow %s", (_, isAtOnce) => {
  it.each(pairs)("and undo and redo what they did: one %s, one %s", (first, second) => {
    const together = openTogether(source, 2, { clients: [101, 102] });
    const [ann, bob] = together.members.map(({ session }) => session.editor);
    const [own, other] = [toEdits("n")[first], toEdits("m")[second]];
    if (!ann || !bob || !own || !other) throw new Error("Two people are expected.");
    if (ann.dispatch([own])) return;
    if (!isAtOnce) together.settle();
    if (bob.dispatch([other])) return;
    together.settle();
    for (const step of [ann.undo, ann.redo, bob.undo, ann.undo]) {
      step();
      together.settle();
      expect(listFaults(together), together.texts()[0]).toEqual([]);
    }
  });
});

it("property: three people change the flow, undo and redo in any order, and it stays whole", {
  timeout: 120_000,
}, () => {
  const kinds = Object.keys(toEdits("n"));
  const step = fc.record({
    person: fc.nat(2),
    action: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...kinds) },
      { weight: 4, arbitrary: fc.constantFrom("undo" as const, "redo" as const) },
    ),
    isLate: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      const together = openTogether(source, 3, { clients: [101, 102, 103] });
      for (const [index, { person, action, isLate }] of steps.entries()) {
        const editor = together.members[person]?.session.editor;
        const edit = toEdits(`n${index}`)[action];
        if (edit) editor?.dispatch([edit]);
        else if (action === "undo") editor?.undo();
        else editor?.redo();
        if (isLate) continue;
        together.settle();
        expect(listFaults(together), together.texts()[0]).toEqual([]);
      }
    }),
    { numRuns: Number(process.env.UNDO_CASES ?? 60), seed: Number(process.env.UNDO_SEED ?? 1) },
  );
});

describe.each([[[101, 102]], [[102, 101]]])(
  "agents that two people add to a file with CRLF, with the documents %j",
  (clients) => {
    it.each([[[0]], [[1]], [[0, 1]]])("leave whole ends of lines when they are undone by %j", (undoing) => {
      for (const isSettled of [false, true]) {
        const together = openTogether(source.replaceAll("\n", "\r\n"), 2, { clients });
        for (const [index, { session }] of together.members.entries()) {
          session.editor.dispatch([{ ...added, name: `n${index}`, scope: root, atEnd: true }]);
          if (isSettled) together.settle();
        }
        for (const index of undoing) together.members[index]?.session.editor.undo();
        together.settle();
        expect(listFaults(together)).toEqual([]);
        expect(together.texts()[0]).not.toMatch(/[^\r]\n|\r[^\n]/);
      }
    });
  },
);
