import { describe, expect, it, vi } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { errorsOf } from "@/lib/core/flow/problem";
import { openTogether } from "../testing/open-together";

const source = `name: Shared
vars:
  tone: "mild"
agents:
  worker:
    model: "demo:writer"
    instructions: |-
      Be \${vars.tone}.
  second: { model: "demo:writer", instructions: "See \${outputs.worker}." }
groups:
  both: { flow: "worker | second" }
routers:
  desk:
    model: "demo:writer"
    lanes:
      yes: { when: "always", flow: second }
      no: { when: "never", flow: worker }
branches:
  check: { condition: 'contains(outputs.worker, "x")', if_true: worker }
swarm:
  type: workflow
  flow: worker >> both >> desk >> check
`;

const rename = (from: string, to: string): Edit => ({ type: "rename", from, to });

describe.each([
  ["at the same time", false],
  ["without a connection", true],
])("people who rename one thing %s", (_, isOffline) => {
  it.each<[what: string, names: readonly string[], toEdit: (name: string) => Edit, old: RegExp]>([
    ["an agent", ["alpha", "anna", "zoe"], (name) => rename("worker", name), /worker/],
    [
      "names that begin and end alike",
      ["worker2", "worker3", "coworker"],
      (name) => rename("worker", name),
      /\bworker\b/,
    ],
    ["names of two words", ["a b", "c d"], (name) => rename("worker", name), /worker/],
    ["a group", ["all", "pair"], (name) => rename("both", name), /both/],
    ["a router", ["front", "door"], (name) => rename("desk", name), /desk/],
    ["a variable", ["mood", "voice", "style"], (name) => ({ type: "rename-var", from: "tone", to: name }), /tone/],
    ["the flow", ["One", "Two", "Other"], (name) => ({ type: "set-flow-name", name }), /Shared/],
  ])("have one of the names everywhere: %s", (_what, names, toEdit, old) => {
    // The ids of the documents, which decide, are random.
    for (let round = 0; round < 4; round++) {
      const together = openTogether(source, names.length);
      const told = together.members.map(({ session }) => vi.spyOn(session.notify, "info"));
      if (isOffline) for (const member of together.members) together.lose(member);
      together.members.forEach(({ session }, index) => {
        expect(session.editor.dispatch([toEdit(names[index] ?? "")])).toBeNull();
      });
      for (const member of together.members) together.connect(member);
      together.settle();
      const [text = "", ...others] = together.texts();
      for (const other of others) expect(other).toBe(text);
      expect(text).not.toMatch(old);
      const { flow, document, problems } = together.members[0]?.session.editor.store.getState() ?? {};
      expect(document?.unreadableRanges).toEqual([]);
      expect(errorsOf(problems ?? []).filter(({ code }) => code !== "unknown-provider")).toEqual([]);
      const declared = [
        flow?.name,
        ...(flow?.vars.keys() ?? []),
        ...(document && "declarations" in document ? (flow?.agents.keys() ?? []) : []),
      ];
      const all = [...declared, ...(flow?.groups.keys() ?? []), ...(flow?.controls.keys() ?? [])];
      expect(names.filter((name) => all.includes(name))).toHaveLength(1);
      // Everyone but one is told once.
      expect(told.map(({ mock }) => mock.calls.length).toSorted()).toEqual(
        names.map((_name, index) => Math.min(index, 1)),
      );
    }
  });
});
