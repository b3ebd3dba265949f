import { printFlow } from "../../dsl/print";
import type { Declaration, Flow, OrderedJson } from "../../flow/flow";
import { containersOf } from "../../kinds/members";
import { kindOf } from "../../kinds/registry";

/** What a flow declares otherwise than another one. */
export interface DeclaredChange {
  /** Of the declaration; null: of the flow as a whole. */
  name: string | null;
  field: string;
  /** As it is now, in full; null: it is set no more. */
  text: string | null;
}

/** What a run of `after` does otherwise than one of `before`, in the order of the file; what is removed comes last. */
export function listFlowChanges(before: Flow, after: Flow): DeclaredChange[] {
  const [old, now] = [toDeclarations(before), toDeclarations(after)];
  const changed = [...now].flatMap(([name, fields]) => compareFields(name, old.get(name) ?? new Map(), fields));
  const removed = [...old.keys()].filter((name) => !now.has(name));
  return [...changed, ...removed.map((name) => ({ name, field: "declaration", text: null }))];
}

type Fields = ReadonlyMap<string, string>;

/** By name; null: the fields of the flow as a whole. */
const toDeclarations = (flow: Flow): Map<string | null, Fields> =>
  new Map<string | null, Fields>([
    [null, toFlowFields(flow)],
    ...[...flow.agents, ...containersOf(flow)].map(([name, declaration]) => [name, toFields(declaration)] as const),
  ]);

const toFlowFields = ({ swarm, vars, limits: { written: _, ...limits }, compat }: Flow): Fields =>
  new Map([
    ...toFields(swarm),
    ...toTexts([
      ["vars", vars.size === 0 ? undefined : vars],
      ["limits", Object.keys(limits).length === 0 ? undefined : JSON.parse(JSON.stringify(limits))],
      ["compat", compat],
    ]),
  ]);

function toFields(declaration: Declaration): Fields {
  const { type } = declaration;
  const fields = kindOf(declaration).write(declaration, (expression, as) => printFlow(expression, as && { as }));
  return new Map([...toTexts([["kind", type]]), ...toTexts(fields)]);
}

const toTexts = (fields: readonly (readonly [string, OrderedJson | undefined])[]): [string, string][] =>
  fields.flatMap(([field, value]) => (value === undefined ? [] : [[field, toText(value)] as [string, string]]));

const toText = (value: OrderedJson): string =>
  typeof value === "string" ? value : JSON.stringify(value, (_, part) => (part instanceof Map ? [...part] : part), 2);

function compareFields(name: string | null, before: Fields, after: Fields): DeclaredChange[] {
  const fields = [...new Set([...after.keys(), ...before.keys()])];
  return fields
    .filter((field) => before.get(field) !== after.get(field))
    .map((field) => ({ name, field, text: after.get(field) ?? null }));
}
