import { describe, expect, it } from "vitest";
import type { Edit, Scope } from "@/lib/core/flow/edit";
import { maxHistoryEntries } from "@/lib/core/history/history";
import { agentKind, isAgentField } from "@/lib/core/kinds/agent";
import { lanesOf } from "@/lib/core/kinds/registry";
import { swarmModes } from "@/lib/core/kinds/swarm";
import { openEditor } from "../testing/open-editor";
import type { Editor } from "./editor";

const source = `agents:
  plan: { model: "demo:x" } # plans
  ann: { instructions: "See \${outputs.plan}." }
  ben: {}
groups:
  review: { flow: "ann | ben" }
branches:
  if: { condition: input == "x", if_true: ann }
swarm:
  # the whole
  flow: plan >> review >> if
`;

/** Numbers that are the same at every run (Park and Miller). */
function createRandom(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  const pick = <T>(values: readonly T[], otherwise: T): T => values[below(Math.max(1, values.length))] ?? otherwise;
  return { below, pick };
}
type Random = ReturnType<typeof createRandom>;

const paper = { x: 0, y: 0, width: 200, height: 100, color: "grey" } as const;
const models = ["demo:x", "openai:gpt-5", "true", "a: b"];

/** Something that the editor can be asked, sensible or not. */
function anyEdit({ below, pick }: Random, editor: Editor): Edit {
  const { flow, arrangement } = editor.store.getState();
  const names = [
    ...flow.agents.keys(),
    ...flow.groups.keys(),
    ...flow.swarms.keys(),
    ...flow.controls.keys(),
    "stranger",
  ];
  const one = (): string => pick(names, "plan");
  const agentFields = agentKind.fields.filter(isAgentField);
  const scopes: Scope[] = [
    { type: "root" },
    { type: "root" },
    ...[...flow.groups.keys()].map((name): Scope => ({ type: "group", name })),
    ...[...flow.swarms.keys()].map((name): Scope => ({ type: "swarm", name })),
    ...[...flow.controls.values()].flatMap((control) =>
      lanesOf(control).map(([lane]): Scope => ({ type: "lane", name: control.name, lane })),
    ),
  ];
  const anyScope = (): Scope => pick(scopes, { type: "root" });
  const scope = anyScope();
  const fresh = `n ${below(10)}`;
  const some = [...new Set([one(), one()])];
  const edits: (() => Edit)[] = [
    () => ({ type: "add-agent", name: fresh, model: "demo:x", scope, ...(below(2) === 0 ? { after: one() } : {}) }),
    () => ({ type: "declare-agent", name: fresh }),
    () => ({ type: "add-note", id: `n${below(4)}`, note: { ...paper, text: fresh } }),
    () => ({ type: "change-note", id: `n${below(4)}`, change: below(2) === 0 ? { text: fresh } : { x: below(99) } }),
    () => ({ type: "remove-note", id: `n${below(4)}` }),
    () => ({ type: "connect", scope, from: one(), to: one() }),
    () => ({ type: "disconnect", scope, from: one(), to: one() }),
    () => ({ type: "delete-nodes", scope, names: some, declarations: below(2) === 0 }),
    () => ({ type: "wrap-parallel", scope, names: some }),
    () => ({ type: "wrap-serial", scope, names: some }),
    () => ({ type: "extract-group", scope, names: some, name: fresh, group: pick(["parallel", "serial"], "serial") }),
    () => ({ type: "extract-swarm", scope, names: some, name: fresh }),
    () => ({ type: "unwrap", scope, names: some }),
    () => ({ type: "inline", scope, name: one() }),
    () => ({ type: "move-member", name: one(), from: anyScope(), scope }),
    () => ({
      type: "move-member",
      name: one(),
      scope,
      at: { member: one(), side: pick(["before", "beside"], "after") },
    }),
    () => ({ type: "rename", from: one(), to: pick([fresh, "a | b", "#x"], fresh) }),
    () => ({
      type: "set-agent-field",
      name: one(),
      field: pick(agentFields, "model"),
      value: pick(models, ""),
    }),
    () => ({ type: "set-agent-field", name: one(), field: pick(agentFields, "model") }),
    () => ({
      type: "add-control",
      control: pick(["branch", "router", "loop", "approval"], "loop"),
      name: fresh,
      fields: {},
      scope,
      after: one(),
    }),
    () => ({ type: "set-control-field", name: "if", path: ["condition"], value: pick(models, "") }),
    () => ({ type: "set-swarm-type", scope, swarm: pick(swarmModes, "team") }),
    () => ({ type: "set-swarm-field", scope, field: "max_handoffs", value: below(5) }),
    () => ({ type: "set-limit", field: "max_tokens", ...(below(2) === 0 ? { value: 1 + below(9) } : {}) }),
    () => ({ type: "set-separator", scope, separator: pick(["\n", " | "], "") }),
    () => ({ type: "set-flow-name", name: fresh }),
    () => ({ type: "set-flow-text", scope, text: pick(["plan >> (ann | ben)", "(", "", "ben"], "") }),
    () => ({
      type: "set-pin",
      key: pick(arrangement.nodes, undefined)?.key ?? "x",
      pin: { dx: below(99), dy: -below(99) },
    }),
    () => ({ type: "set-pin", key: pick(arrangement.nodes, undefined)?.key ?? "x", pin: null }),
  ];
  return pick(edits, () => ({ type: "set-flow-name", name: fresh }))();
}

const garbage = [
  "a",
  ">> ",
  "\n",
  "  ",
  ": ",
  "[",
  "}",
  "|",
  "é",
  "💥",
  "\r\n",
  "agents:\n",
  "- x\n",
  "&a ",
  "*a",
  "\t",
];

/** Typing somewhere, or cutting something out. */
function type({ below, pick }: Random, editor: Editor): void {
  const { text } = editor.store.getState();
  const at = below(text.length + 1);
  editor.typeText(text.slice(0, at) + pick(garbage, "") + text.slice(at + (below(4) === 0 ? below(30) : 0)));
}

function act(random: Random, editor: Editor): void {
  const { below, pick } = random;
  const what = below(20);
  if (what < 10) editor.dispatch([anyEdit(random, editor)]);
  else if (what < 12) editor.dispatch([anyEdit(random, editor), anyEdit(random, editor)]);
  else if (what < 14) type(random, editor);
  else if (what < 15) {
    const problem = pick(editor.store.getState().problems, undefined);
    if (problem) editor.applyFix(problem);
  } else if (what < 18) editor.undo();
  else editor.redo();
  // A text that cannot be read would only be refused from here on: mostly it is mended at once.
  if (editor.store.getState().document.broken && below(4) !== 0) editor.undo();
}

const shown = ({ store }: Editor) => {
  const { text, layout } = store.getState();
  return { text, pins: layout.pins, notes: layout.notes ?? {} };
};

describe("undo and redo", () => {
  it("lead from anywhere to the first state and to the last again, byte for byte, over 5,000 random edits", () => {
    const [rounds, each] = [25, 200];
    expect(each * 2).toBeLessThanOrEqual(maxHistoryEntries);
    const ends = new Set<string>();
    for (let seed = 1; seed <= rounds; seed++) {
      const random = createRandom(seed * 7919);
      const editor = openEditor(source);
      const first = shown(editor);
      for (let step = 0; step < each; step++) act(random, editor);
      while (editor.store.getState().history.canRedo) editor.redo();
      const last = shown(editor);
      while (editor.store.getState().history.canUndo) editor.undo();
      expect({ seed, ...shown(editor) }).toEqual({ seed, ...first });
      while (editor.store.getState().history.canRedo) editor.redo();
      expect({ seed, ...shown(editor) }).toEqual({ seed, ...last });
      editor.stop();
      ends.add(last.text);
    }
    expect(ends.size).toBe(rounds);
  }, 240_000);
});
