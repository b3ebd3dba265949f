import fc from "fast-check";
import { isSeq } from "yaml";
import { printName } from "../../dsl/print";
import { toGraph } from "../../dsl/series-parallel";
import type { Edit, Scope } from "../../flow/edit";
import { namesOf } from "../../flow/expression";
import { declaredNames } from "../../kinds/members";
import { lanesOf } from "../../kinds/registry";
import { swarmModes } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import { copyFragment } from "../fragment/copy-fragment";
import type { SourceDocument } from "../read/source-document";
import { containerOf, graphOf, topologyOf } from "../read/topology";

/** The edits that change the text. Those of the layout change no text, by their type. */
export const textEdits = [
  "add-agent",
  "declare-agent",
  "insert-fragment",
  "connect",
  "disconnect",
  "delete-nodes",
  "wrap-parallel",
  "wrap-serial",
  "extract-group",
  "extract-swarm",
  "wrap-control",
  "unwrap",
  "inline",
  "move-member",
  "rename",
  "set-agent-field",
  "add-control",
  "set-control-field",
  "set-swarm-type",
  "set-swarm-field",
  "set-limit",
  "set-var",
  "rename-var",
  "set-separator",
  "set-flow-name",
  "set-flow-description",
  "set-flow-text",
] as const satisfies readonly Edit["type"][];

/** An edit of any type, as numbers that choose among what a file has. */
export const anyGesture = fc.record({
  // Fields are edited most, then what changes parentheses.
  type: fc.constantFrom(
    ...textEdits,
    ...Array.from({ length: 5 }, () => "set-agent-field" as const),
    "delete-nodes",
    ...Array.from({ length: 2 }, () => "wrap-control" as const),
    "unwrap",
  ),
  numbers: fc.array(fc.nat(30), { minLength: 6, maxLength: 6 }),
  text: fc.constantFrom("Go on.", "two\nlines", "it's: #1", "", "a\n\n  b\n"),
});
export type Gesture = typeof anyGesture extends fc.Arbitrary<infer T> ? T : never;

/** The name of what edits add. */
export const freshName = "fresh one";

/** The edit that a gesture is in a file; null: the file has nothing to apply it to. */
export function toEdit(document: SourceDocument, gesture: Gesture): Edit | null {
  const { flow } = document;
  const [first = 0, second = 0, third = 0, fourth = 0] = gesture.numbers;
  const pick = <T>(options: readonly T[], number: number): T | undefined =>
    options[number % Math.max(1, options.length)];
  const scopes: Scope[] = [
    { type: "root" },
    ...Array.from(flow.swarms.keys(), (name): Scope => ({ type: "swarm", name })),
    ...Array.from(flow.groups.keys(), (name): Scope => ({ type: "group", name })),
    ...[...flow.controls.values()].flatMap((control) =>
      lanesOf(control).map(([lane]): Scope => ({ type: "lane", name: control.name, lane })),
    ),
  ];
  const scope = pick(scopes, first) ?? { type: "root" };
  const members = membersIn(document, scope);
  const one = pick(members, second) ?? freshName;
  const next = pick(members, second + 1) ?? one;
  const names = declaredNames(flow);
  const any = pick(names, third) ?? freshName;
  const agent = pick([...flow.agents.keys()], second) ?? freshName;
  const after = fourth % 2 === 0 && members.length > 0 ? { after: one } : { atEnd: fourth % 3 === 0 };
  const variable = pick([...flow.vars.keys(), ...flow.vars.keys(), "tone"], second) ?? "tone";
  const isSet = fourth % 3 > 0;
  switch (gesture.type) {
    case "add-agent":
      return { type: "add-agent", name: freshName, model: "demo:new", instructions: gesture.text, scope, ...after };
    case "declare-agent":
      return { type: "declare-agent", name: freshName, model: "demo:new" };
    case "insert-fragment": {
      const text = copyFragment(document, [{ scope, names: [any] }]);
      const place = pick([{ type: "end" }, { type: "waiting" }, { type: "after", names: [one] }] as const, fourth);
      return text && place ? { type: "insert-fragment", text, scope, place } : null;
    }
    case "connect":
      return { type: "connect", scope, from: one, to: pick([...members, ...names], third) ?? any };
    case "disconnect": {
      const [from, to] = pick(linksIn(document, scope), second) ?? [];
      return from === undefined || to === undefined ? null : { type: "disconnect", scope, from, to };
    }
    case "delete-nodes":
      return {
        type: "delete-nodes",
        scope,
        names: third % 4 === 0 ? [...new Set([one, next])] : [one],
        declarations: isSet,
      };
    case "wrap-parallel":
    case "wrap-serial":
      return { type: gesture.type, scope, names: [...new Set([one, next])] };
    case "extract-group":
      return {
        type: "extract-group",
        scope,
        names: [...new Set([one, next])],
        name: freshName,
        group: isSet ? "serial" : "parallel",
      };
    case "extract-swarm":
      return { type: "extract-swarm", scope, names: [...new Set([one, next])], name: freshName };
    case "wrap-control": {
      const neighbors = members.slice(second % Math.max(1, members.length)).slice(0, 1 + (third % 3));
      return toWrapEdit(scope, neighbors.length > 0 ? neighbors : [one], fourth);
    }
    case "unwrap": {
      const names = isSet ? [containerAmong(document, members, third) ?? one] : [...new Set([one, next])];
      return { type: "unwrap", scope: isSet ? { type: "root" } : scope, names };
    }
    case "inline":
      return {
        type: "inline",
        scope: { type: "root" },
        name: containerAmong(document, membersIn(document, { type: "root" }), third) ?? any,
      };
    case "move-member": {
      const target = pick(scopes, third) ?? scope;
      const beside = pick(membersIn(document, target), fourth);
      const at =
        beside === undefined || beside === one
          ? {}
          : { at: { member: beside, side: pick(["before", "after", "beside"] as const, fourth) ?? "after" } };
      return { type: "move-member", name: one, from: scope, scope: target, ...at };
    }
    case "rename":
      return { type: "rename", from: any, to: pick([freshName, "x: y", "(q)", "n"], fourth) ?? freshName };
    case "set-agent-field":
      // In a list the first field of an agent stands beside a dash.
      return toFieldEdit(
        document,
        agent,
        gesture,
        fourth % (isSeq(document.sections.get("agents")?.value) ? 4 : 2) === 0,
      );
    case "add-control":
      return {
        type: "add-control",
        control: "branch",
        name: freshName,
        fields: { condition: 'contains(input, "y")' },
        scope,
        ...after,
      };
    case "set-control-field": {
      const control = pick([...flow.controls.values()], second);
      if (!control) return null;
      const fields: Readonly<Record<string, string>> = {
        branch: "condition",
        router: "instructions",
        loop: "separator",
        approval: "message",
        each: "separator",
      };
      const lanePath =
        control.type === "router" && third % 2 === 0
          ? ["lanes", pick([...control.lanes.keys(), "3"], fourth) ?? "3", "when"]
          : null;
      return {
        type: "set-control-field",
        name: control.name,
        path: lanePath ?? [fields[control.type] ?? "separator"],
        ...(isSet && { value: gesture.text }),
      };
    }
    case "set-swarm-type":
      return { type: "set-swarm-type", scope, swarm: pick(swarmModes, third) ?? "team" };
    case "set-swarm-field":
      return { type: "set-swarm-field", scope, field: "max_handoffs", ...(isSet && { value: 7 }) };
    case "set-limit":
      return {
        type: "set-limit",
        field: pick(["max_tokens", "max_seconds"] as const, second) ?? "max_tokens",
        ...(fourth % 2 === 0 && { value: 77 }),
      };
    case "set-var":
      return { type: "set-var", name: variable, ...(isSet && { value: pick([gesture.text, 4, true], third) ?? 4 }) };
    case "rename-var":
      return { type: "rename-var", from: variable, to: "fresh_var" };
    case "set-separator":
      return { type: "set-separator", scope, separator: pick(["-", "\n---\n", ""], third) ?? "-" };
    case "set-flow-name":
      return { type: "set-flow-name", name: pick(["New name", "12", "a: b"], third) ?? "New name" };
    case "set-flow-description":
      return { type: "set-flow-description", text: gesture.text };
    case "set-flow-text":
      return { type: "set-flow-text", scope, text: pick(["n >> m", "(n | m)", ""], third) ?? "n" };
  }
}

function toWrapEdit(scope: Scope, names: readonly string[], number: number): Edit {
  const members = printName(names[0] ?? freshName);
  const fields = {
    loop: { body: members, count: 2 },
    branch: { condition: "true", if_true: members },
    router: { lanes: { first: { when: "x", flow: members } } },
  } as const;
  const controls = ["loop", "branch", "router"] as const;
  const control = controls[number % controls.length] ?? "loop";
  return { type: "wrap-control", scope, names, control, name: freshName, fields: fields[control] };
}

const containerAmong = ({ flow }: SourceDocument, members: readonly string[], number: number): string | undefined => {
  const containers = members.filter((name) => flow.groups.has(name) || flow.swarms.has(name));
  return containers[number % Math.max(1, containers.length)];
};

function toFieldEdit(document: SourceDocument, name: string, { text, numbers }: Gesture, isSet: boolean): Edit {
  const values = {
    model: "demo:set",
    instructions: text,
    tools: ["read_page"],
    max_steps: 12,
    output_schema: { type: "array" },
  };
  const fields = ["model", "instructions", "tools", "max_steps", "output_schema"] as const;
  const written = [...(document.declarations.get(name)?.entries.keys() ?? [])];
  const cleared = fields
    .filter((field) => written.includes(field))
    .sort((a, b) => written.indexOf(a) - written.indexOf(b));
  const choices = isSet || cleared.length === 0 ? fields : cleared;
  const [, , third = 0] = numbers;
  // The first field may be in the line of a dash or a brace.
  const field = choices[third % 2 === 0 ? 0 : third % choices.length] ?? "model";
  return { type: "set-agent-field", name, field, ...(isSet && { value: values[field] }) };
}

function membersIn({ flow }: SourceDocument, scope: Scope): string[] {
  const container = containerOf(flow, scope);
  if (container && "agents" in container && container.mode !== "workflow") return rosterOf(container);
  return graphOf(topologyOf(flow, scope)).nodes.slice();
}

function linksIn({ flow }: SourceDocument, scope: Scope): readonly (readonly string[])[] {
  const container = containerOf(flow, scope);
  if (container && container.type === "swarm" && container.edges) return container.edges;
  const topology = topologyOf(flow, scope);
  if (topology && "expression" in topology && namesOf(topology.expression).length > 0)
    return toGraph(topology.expression).edges;
  return [];
}
