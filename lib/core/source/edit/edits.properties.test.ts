import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toGraph } from "../../dsl/series-parallel";
import { type Edit, emptyLayout, type Scope } from "../../flow/edit";
import { namesOf } from "../../flow/expression";
import type { Control, Flow } from "../../flow/flow";
import { applyChanges } from "../../flow/text-change";
import { lanesOf } from "../../kinds/registry";
import { swarmModes } from "../../kinds/swarm";
import { applyEdit } from "../apply-edit";
import { anyCare, anyFlow, anyText, plain, plainControl, takeCare } from "../read/source.arbitrary";
import type { SourceDocument } from "../read/source-document";
import { readSource } from "../read-source";
import { writeSource } from "../write-source";
import { edited } from "./edits.arbitrary";

const fresh = "fresh";
const pick = <T>(values: readonly T[], at: number): T | undefined => values[at % Math.max(1, values.length)];

/** Something that a person does in a lane, with a roster or with a control; names by their number, for they are random. */
const anyGesture = fc.record({
  kind: fc.constantFrom(
    "add",
    "connect",
    "disconnect",
    "delete",
    "wrap",
    "extract",
    "text",
    "swarm-type",
    "limit",
    "field",
    "lane-field",
    "add-control",
  ),
  inLane: fc.boolean(),
  numbers: fc.tuple(fc.nat(30), fc.nat(30)),
  text: anyText,
});
type Gesture = typeof anyGesture extends fc.Arbitrary<infer T> ? T : never;

/** A lane or the handoff swarm, and its members. */
function toPlace(
  flow: Flow,
  { inLane, numbers: [i] }: Gesture,
): { scope: Scope; members: readonly string[]; links: readonly (readonly string[])[] } {
  const lanes = [...flow.controls.values()].flatMap((control) =>
    lanesOf(control).map(([lane, part]) => ({ control, lane, part })),
  );
  const found = pick(lanes, i);
  if (inLane && found) {
    const { control, lane, part } = found;
    const members = part ? namesOf(part).map(({ name }) => name) : [];
    return { scope: { type: "lane", name: control.name, lane }, members, links: part ? toGraph(part).edges : [] };
  }
  const [name = "", swarm] = [...flow.swarms].find(([, { mode: type }]) => type !== "workflow") ?? [];
  return { scope: { type: "swarm", name }, members: swarm?.agents ?? [], links: swarm?.edges ?? [] };
}

function toEdit(flow: Flow, gesture: Gesture): Edit {
  const {
    kind,
    numbers: [i, j],
    text,
  } = gesture;
  const { scope, members, links } = toPlace(flow, gesture);
  const one = pick(members, j) ?? "ghost";
  const two = pick([...flow.agents.keys()], i * 31 + j) ?? "ghost";
  const [from = one, to = two] = pick(links, j) ?? [];
  const names = [...new Set([one, pick(members, j + 1) ?? two])];
  const control = pick([...flow.controls.values()], j);
  switch (kind) {
    case "add":
      return { type: "add-agent", name: fresh, scope, ...(i % 2 === 0 ? { after: one } : {}) };
    case "connect":
      return { type: "connect", scope, from: one, to: two };
    case "disconnect":
      return { type: "disconnect", scope, from, to };
    case "delete":
      return { type: "delete-nodes", scope, names, declarations: i % 2 === 0 };
    case "wrap":
      return { type: j % 2 === 0 ? "wrap-parallel" : "wrap-serial", scope, names: [one, two] };
    case "extract":
      return { type: "extract-swarm", scope, names, name: fresh };
    case "text":
      return { type: "set-flow-text", scope, text: i % 3 === 0 ? "" : "a >> (b | c)" };
    case "swarm-type":
      return { type: "set-swarm-type", scope, swarm: pick(swarmModes, i + j) ?? "team" };
    case "limit":
      return { type: "set-swarm-field", scope, field: "max_handoffs", ...(j % 2 === 0 ? { value: i } : {}) };
    case "field":
      return toFieldEdit(control, i, text);
    case "lane-field": {
      const router = [...flow.controls.values()].find(({ type }) => type === "router");
      const lane =
        i % 3 === 0 ? "a new one" : (pick(router && "lanes" in router ? [...router.lanes.keys()] : [], i) ?? "");
      const path = ["lanes", lane, "when"];
      return { type: "set-control-field", name: router?.name ?? "", path, ...(j % 3 === 0 ? {} : { value: text }) };
    }
    case "add-control":
      return {
        type: "add-control",
        control: "router",
        name: fresh,
        fields: { model: "demo:x", instructions: text, lanes: { one: { when: text, flow: "a" }, two: {} } },
        scope,
        ...(i % 2 === 0 ? { after: one } : {}),
      };
  }
}

const textFields: Readonly<Record<string, string>> = {
  branch: "condition",
  router: "instructions",
  loop: "separator",
  approval: "message",
};
function toFieldEdit(control: Control | undefined, i: number, text: string): Edit {
  const path = [textFields[control?.type ?? "branch"] ?? "condition"];
  return { type: "set-control-field", name: control?.name ?? "", path, ...(i % 4 === 0 ? {} : { value: text }) };
}

/** The declaration that an edit changes; null: others too. */
function ownerOf(edit: Edit): string | null {
  if (edit.type === "set-control-field") return edit.name;
  const adds = edit.type === "add-agent" || edit.type === "add-control" || edit.type.startsWith("extract");
  const deletes = edit.type === "delete-nodes" && edit.declarations;
  return adds || deletes || !("scope" in edit) || edit.scope.type === "root" ? null : edit.scope.name;
}

const notesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.startsWith("# note"));

/** Only what the edit names changes. */
function expectOthersKept(before: SourceDocument, after: SourceDocument, edit: Edit): void {
  const named = new Set([fresh, "scope" in edit && edit.scope.type !== "root" ? edit.scope.name : ""]);
  if (edit.type === "set-control-field") named.add(edit.name);
  if (edit.type === "delete-nodes") for (const name of edit.names) named.add(name);
  for (const [name, agent] of before.flow.agents)
    if (!named.has(name)) expect(after.flow.agents.get(name)).toEqual(agent);
  for (const [name, control] of before.flow.controls) {
    const found = after.flow.controls.get(name);
    if (!named.has(name)) expect(found && plainControl(found)).toEqual(plainControl(control));
  }
  const others = (flow: Flow): unknown =>
    plain({
      ...flow,
      agents: new Map(),
      controls: new Map(),
      swarms: new Map([...flow.swarms].filter(([name]) => !named.has(name))),
    });
  expect(others(after.flow)).toEqual(others(before.flow));
}

describe("an edit of a lane, a roster or a control", () => {
  it("property: changes the lines that it names and nothing else, and can be undone", () => {
    fc.assert(
      fc.property(anyFlow, anyCare, fc.array(anyGesture, { minLength: 1, maxLength: 5 }), (start, care, gestures) => {
        let text = takeCare(writeSource(start), care);
        for (const gesture of gestures) {
          const before = readSource(text);
          const edit = toEdit(before.flow, gesture);
          const result = applyEdit(before, emptyLayout, edit);
          if (!result.ok) continue;
          const next = edited(text, edit);
          expect(next).toBe(applyChanges(text, result.changes));
          const range = before.rangeOf(ownerOf(edit) ?? "");
          for (const { from, to } of range ? result.changes : []) {
            expect(from).toBeGreaterThanOrEqual(range?.from ?? 0);
            // The line end after it goes with the last line.
            expect(to).toBeLessThanOrEqual((range?.to ?? 0) + 2);
          }
          if (edit.type !== "delete-nodes") expect(notesOf(next)).toEqual(notesOf(text));
          expectOthersKept(before, readSource(next), edit);
          text = next;
          if (next.includes(fresh)) return;
        }
      }),
      { numRuns: 25 },
    );
  });
});
