import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toGraph } from "../../dsl/series-parallel";
import { type Edit, emptyLayout } from "../../flow/edit";
import { namesOf } from "../../flow/expression";
import type { Flow } from "../../flow/flow";
import { applyChanges } from "../../flow/text-change";
import { createAgent } from "../../kinds/agent-schema";
import { declaredNames } from "../../kinds/members";
import { applyEdit } from "../apply-edit";
import { readSource } from "../read-source";
import { writeSource } from "../write-source";
import { anyCare, anyFlow, anyText, plain, takeCare } from "./source.arbitrary";
import type { SourceDocument } from "./source-document";

const root = { type: "root" } as const;

const notesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.startsWith("# note"));

/** Something that a person does on the canvas; names by their number, for they are random. */
const anyGesture = fc.record({
  kind: fc.constantFrom(
    "add",
    "add-after",
    "connect",
    "disconnect",
    "delete",
    "wrap-parallel",
    "wrap-serial",
    "extract-group",
    "extract-swarm",
    "rename",
    "field",
    "flow-name",
    "separator",
  ),
  numbers: fc.tuple(fc.nat(20), fc.nat(20)),
  text: anyText,
  field: fc.constantFrom("instructions", "description", "tools", "max_steps", "temperature"),
});
type Gesture = typeof anyGesture extends fc.Arbitrary<infer T> ? T : never;

const fresh = "fresh";

function toEdit(flow: Flow, { kind, numbers: [i, j], text, field }: Gesture): Edit {
  const members = flow.swarm.flow ? namesOf(flow.swarm.flow).map(({ name }) => name) : [];
  const pick = (names: readonly string[], at: number): string => names[at % Math.max(1, names.length)] ?? "ghost";
  const [one, two] = [pick(members, i), pick(members, j)];
  const agent = pick([...flow.agents.keys()], i);
  const edges = flow.swarm.flow ? toGraph(flow.swarm.flow).edges : [];
  const edge = edges[i % Math.max(1, edges.length)] ?? ["ghost", "ghost"];
  switch (kind) {
    case "add":
      return { type: "add-agent", name: fresh, model: "demo:x", scope: root };
    case "add-after":
      return { type: "add-agent", name: fresh, scope: root, after: one };
    case "connect":
      return { type: "connect", scope: root, from: one, to: two };
    case "disconnect":
      return { type: "disconnect", scope: root, from: edge[0], to: edge[1] };
    case "delete":
      return { type: "delete-nodes", scope: root, names: [one], declarations: j % 2 === 0 };
    case "wrap-parallel":
    case "wrap-serial":
      return { type: kind, scope: root, names: [one, two] };
    case "extract-group":
      return { type: "extract-group", scope: root, names: [one, two], name: fresh, group: "parallel" };
    case "extract-swarm":
      return { type: "extract-swarm", scope: root, names: [one, two], name: fresh };
    case "rename":
      return { type: "rename", from: j % 2 === 0 ? agent : one, to: fresh };
    case "field": {
      const value = {
        instructions: text,
        description: text,
        tools: ["calculator"],
        max_steps: 1 + i,
        temperature: 0.5,
      };
      return { type: "set-agent-field", name: agent, field, ...(j % 4 === 0 ? {} : { value: value[field] }) };
    }
    case "flow-name":
      return { type: "set-flow-name", name: text.replaceAll(/\p{Cc}/gu, " ").trim() };
    case "separator":
      return { type: "set-separator", scope: root, separator: text };
  }
}

/** What an edit changes besides the order of the root swarm, by declared name. */
const namedBy = (edit: Edit): Set<string> =>
  new Set(
    [fresh].concat(
      edit.type === "set-agent-field" ? edit.name : edit.type === "rename" ? edit.from : [],
      edit.type === "delete-nodes" ? edit.names : [],
    ),
  );

describe("a flow file", () => {
  it("property: reads back as the flow that was written, and is written the same again", () => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        const text = writeSource(flow);
        const document = readSource(text);
        expect(plain(document.flow)).toEqual(plain(flow));
        expect(document.problems.map(({ code }) => code)).not.toContain("yaml-syntax");
        expect(writeSource(document.flow)).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it("property: comments, empty lines and line ends are no part of its meaning", () => {
    fc.assert(
      fc.property(anyFlow, anyCare, (flow, care) => {
        expect(plain(readSource(takeCare(writeSource(flow), care)).flow)).toEqual(plain(flow));
      }),
      { numRuns: 60 },
    );
  });
});

describe("an edit", () => {
  it("property: changes what it names and nothing else, and leaves a file that can be read", () => {
    fc.assert(
      fc.property(anyFlow, anyCare, fc.array(anyGesture, { minLength: 1, maxLength: 6 }), (start, care, gestures) => {
        let before = readSource(takeCare(writeSource(start), care));
        for (const gesture of gestures) {
          const { text } = before;
          const edit = toEdit(before.flow, gesture);
          const result = applyEdit(before, emptyLayout, edit);
          if (!result.ok) continue;
          const after = applyChanges(text, result.changes);
          const document = readSource(after);
          const { broken, flow } = document;
          expect(broken).toBe(false);
          const named = namedBy(edit);
          const others = [...before.flow.agents.values()].filter(({ name }) => !named.has(name));
          expect(others.map(({ name }) => flow.agents.get(name))).toEqual(others);
          if (edit.type !== "delete-nodes") expect(notesOf(after)).toEqual(notesOf(text));
          if (care.crlf) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
          before = document;
          if (flow.agents.has(fresh) || flow.groups.has(fresh) || flow.swarms.has(fresh)) return;
        }
      }),
      { numRuns: 60 },
    );
  });

  it("property: a field is set inside its declaration, and nothing else changes", () => {
    fc.assert(
      fc.property(anyFlow, anyCare, anyGesture, (start, care, gesture) => {
        const text = takeCare(writeSource(start), care);
        const document = readSource(text);
        const edit = toEdit(document.flow, { ...gesture, kind: "field" });
        if (edit.type !== "set-agent-field") return;
        const { name, field, value } = edit;
        const result = applyEdit(document, emptyLayout, edit);
        if (!result.ok) throw new Error(result.problem.message);
        const range = document.rangeOf(name) ?? { from: 0, to: 0 };
        for (const { from, to } of result.changes) {
          expect(from).toBeGreaterThanOrEqual(range.from);
          // The line end after it goes with the last line.
          expect(to).toBeLessThanOrEqual(range.to + 2);
        }
        const agents = new Map(document.flow.agents);
        const { [field]: _, written, ...others } = { ...document.flow.agents.get(name), name };
        const { [field]: __, ...looking } = written ?? {};
        const usual = createAgent(name);
        const set = value === undefined ? {} : { [field]: value };
        agents.set(name, { ...usual, ...others, ...(written && { written: looking }), ...set });
        expect(plain(readSource(applyChanges(text, result.changes)).flow)).toEqual(plain({ ...document.flow, agents }));
      }),
      { numRuns: 60 },
    );
  });

  it("property: a rename there and back is the same file, byte for byte", () => {
    fc.assert(
      fc.property(anyFlow, anyCare, fc.nat(30), (start, care, number) => {
        const text = takeCare(writeSource(start), care);
        const names = declaredNames(start);
        const from = names[number % names.length] ?? "";
        const rename = (document: SourceDocument, old: string, to: string): string => {
          const result = applyEdit(document, emptyLayout, { type: "rename", from: old, to });
          if (!result.ok) throw new Error(result.problem.message);
          return applyChanges(document.text, result.changes);
        };
        const renamed = readSource(rename(readSource(text), from, fresh));
        expect(renamed.broken).toBe(false);
        expect(rename(renamed, fresh, from)).toBe(text);
      }),
      { numRuns: 60 },
    );
  });
});
