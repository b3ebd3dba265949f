import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { completeFlowFile } from "./completion";

const names = ["planner", "writer"];
const vocabulary = () => ({
  names,
  vars: ["tone"],
  models: ["demo:writer", "openai:gpt"],
  tools: [{ name: "calculator", description: "Works out a sum." }],
});

/** Offers at `^`, and what they would take the place of. */
function completeAt(text: string, explicit = true) {
  const pos = text.indexOf("^");
  const state = EditorState.create({ doc: text.replace("^", "") });
  const result = completeFlowFile(vocabulary)(new CompletionContext(state, pos, explicit));
  return { labels: result?.options.map((option) => option.label) ?? [], typed: text.slice(result?.from ?? pos, pos) };
}
const offersAt = (text: string, explicit = true): string[] => completeAt(text, explicit).labels;

describe("completeFlowFile", () => {
  it.each([
    ["agents:\n  a: { model: de^", ["demo:writer", "openai:gpt"], "de"],
    ["agents:\n  a:\n    fallback_model: ^", ["demo:writer", "openai:gpt"], ""],
    ["routers:\n  r: { model: ^", ["demo:writer", "openai:gpt"], ""],
    ["agents:\n  a: { tools: [calc^", ["calculator"], "calc"],
    ["agents:\n  a: { needs_approval: [read, c^", ["calculator"], "c"],
    ["agents:\n  a:\n    tools:\n      - read\n      - c^", ["calculator"], "c"],
    ["swarm:\n  flow: planner >> wr^", names, "wr"],
    ['swarm: { flow: "(planner | w^', names, "w"],
    ["swarm:\n  type: team\n  agents: [planner, ^", names, ""],
    ["swarm: { type: handoff, edges: [[planner, writer], [wr^", names, "wr"],
    ["swarm:\n  agents:\n    - pl^", names, "pl"],
    ["swarm:\n  edges:\n    - [planner, w^", names, "w"],
    ["branches:\n  b:\n    if_true: wr^", names, "wr"],
    ["branches:\n  b: { condition: input, if_false: ^", names, ""],
    ["loops:\n  l:\n    body: planner >> ^", names, ""],
    ["routers:\n  r:\n    lanes:\n      money: planner >> w^", names, "w"],
    ["routers:\n  r:\n    lanes:\n      money:\n        flow: ^", names, ""],
  ])("offers models, tools and names where they belong: %j", (text, labels, typed) => {
    expect(completeAt(text)).toEqual({ labels, typed });
  });

  it.each([
    ["swarm:\n  type: ^", ["workflow", "handoff", "team", "orchestrate"]],
    ["swarms:\n  s: { type: te^", ["workflow", "handoff", "team", "orchestrate"]],
    ["groups:\n  g:\n    type: ^", ["parallel", "serial"]],
    ["groups:\n  g: { on_error: ^", ["stop", "continue"]],
    ["agents:\n  a:\n    use_history: ^", ["true", "false"]],
    ["agents:\n  a:\n    tool_calls: ^", ["sequential", "parallel"]],
    ["agents:\n  a: { on_limit: an^", ["answer", "fail"]],
    ["agents:\n  a:\n    output_schema:\n      type: ^", []],
    ["compat: ^", ["orbiter"]],
  ])("offers the few values of a key: %j", (text, labels) => expect(offersAt(text)).toEqual(labels));

  it.each([
    ["sw^", ["name", "vars", "limits", "agents", "branches", "routers", "loops", "approvals", "swarm"]],
    ["agents:\n  a:\n    mo^", ["max_steps", "loop_threshold", "fallback_model", "needs_approval", "trim_context"]],
    ["agents:\n  a: { model: demo:x, ^", ["tool_calls", "on_limit", "output_schema", "use_history"]],
    ["agents:\n  - name: a\n    mo^", ["model"]],
    ["swarm:\n  ty^", ["type", "max_handoffs", "max_concurrent", "max_agents"]],
    ["swarms:\n  my swarm:\n    ^", ["type", "max_agents"]],
    ["groups:\n  g: { ^", ["flow", "on_error"]],
    ["branches:\n  b:\n    ^", ["condition", "if_true", "if_false"]],
    ["branches:\n\n  # why\n  b:\n    condition: x\n\n    ^", ["condition", "if_true", "if_false"]],
    ["routers:\n  r:\n    ^", ["model", "instructions", "lanes"]],
    ["routers:\n  r:\n    lanes:\n      money:\n        w^", ["when", "flow"]],
    ['routers:\n  r:\n    lanes:\n      "a: b": { w^', ["when", "flow"]],
    ["routers: { r: { lanes: { money: { when: x }, other: { ^", ["when", "flow"]],
    ["loops:\n  l:\n    ^", ["body", "count", "while", "for_each", "limit", "separator"]],
    ["approvals:\n  ok: { ^", ["message", "timeout_seconds"]],
    ["limits:\n  max^", ["max_seconds", "max_tokens", "max_cost"]],
  ])("offers the keys of the section: %j", (text, some) => {
    expect(offersAt(text)).toEqual(expect.arrayContaining(some));
  });

  it.each([
    "constructor:\n  x^",
    "agents:\n  pl^",
    "routers:\n  r:\n    lanes:\n      mo^",
    "limits:\n  max_cost:\n    ^",
    "vars:\n  to^",
    "agents:\n  a:\n    output_schema:\n      pro^",
  ])("offers nothing where names are made up: %j", (text) => expect(offersAt(text)).toEqual([]));

  it.each([
    ["agents:\n  a: { instructions: 'Mind ${out^", "out", ["input", "date", "vars.tone", "outputs.planner"]],
    ["agents:\n  a:\n    instructions: |\n      Mind ${^", "", ["vars.tone"]],
    ["branches:\n  b: { condition: 'contains(outputs.pl^", "outputs.pl", ["outputs.planner", "vars.tone"]],
    ["loops:\n  l:\n    while: inp^", "inp", ["input", "round", "len", "contains"]],
    ['loops:\n  l:\n    for_each: json(outputs["wr^', 'outputs["wr', ["outputs.writer"]],
  ])("offers what can be looked up: %j", (text, typed, some) => {
    const found = completeAt(text);
    expect(found.typed).toBe(typed);
    expect(found.labels).toEqual(expect.arrayContaining(some));
  });

  it("stays quiet where nothing was typed", () => {
    expect(offersAt("branches:\n  b:\n    ^", false)).toEqual([]);
    expect(offersAt("branches:\n  b:\n    co^", false)).toContain("condition");
  });
});
