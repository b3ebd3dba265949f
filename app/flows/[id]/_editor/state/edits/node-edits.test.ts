import { describe, expect, it } from "vitest";
import { emptyLayout, type Layout } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { indexNodes, type NodeIndex } from "@/lib/core/layout/scene/node-index";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { readSource } from "@/lib/core/source/read-source";
import { writeSource } from "@/lib/core/source/write-source";
import { rootFlowText } from "../root-flow-text";
import { openEditor } from "../testing/open-editor";
import * as gestures from "./node-edits";
import { toPositionEdits } from "./position-edits";

const nodesOf = (flow: Flow, layout: Layout = emptyLayout) => indexNodes(arrangeFlow(flow, layout));
const agent = { name: "new", model: "demo:x" };

/** The root flow after a gesture was carried out by a real editor. */
function perform(flow: Flow, gesture: gestures.EditPlan): string {
  if (!gesture.ok) return gesture.message;
  const editor = openEditor(writeSource(flow));
  const problem = editor.dispatch(gesture.edits);
  if (problem) return problem.message;
  return rootFlowText(editor.store.getState());
}

describe("gestures", () => {
  const chain = flowOf("a >> b");
  const nested = flowOf("plan >> review >> write", { review: ["parallel", "ann | ben"] }, ["idle"]);

  it("connect cards of one place, from outside and inside of frames", () => {
    const nodes = nodesOf(nested);
    expect(gestures.connect(nested, nodes, "review/ann", "review/ben")).toMatchObject({
      edits: [{ type: "connect", scope: { type: "group", name: "review" }, from: "ann", to: "ben" }],
    });
    expect(gestures.connect(nested, nodes, "plan", "review/ben")).toMatchObject({
      edits: [{ scope: { type: "root" }, from: "plan", to: "review" }],
    });
    expect(gestures.connect(nested, nodes, "review/ann", "idle")).toMatchObject({
      edits: [{ scope: { type: "group", name: "review" }, from: "ann", to: "idle" }],
    });
  });

  it("refuse what makes no sense, with the reason", () => {
    const nodes = nodesOf(nested);
    expect(gestures.connect(nested, nodes, "plan", "plan")).toMatchObject({ ok: false });
    expect(gestures.connect(nested, nodes, "review", "review/ann")).toMatchObject({ ok: false });
    expect(gestures.connect(nested, nodes, "plan", "missing")).toMatchObject({ ok: false });
    expect(gestures.deleteNodes(nested, nodes, [])).toMatchObject({ ok: false });
    expect(gestures.wrap(nested, nodes, ["plan", "review/ann"], "wrap-parallel")).toMatchObject({ ok: false });
  });

  it("add an agent after, before and beside", () => {
    const nodes = nodesOf(chain);
    expect(perform(chain, gestures.addAfter(chain, nodes, "a", agent))).toBe("a >> new >> b");
    expect(perform(chain, gestures.addLinked(chain, nodes, "a", "after", agent))).toBe("a >> (b | new)");
    expect(perform(chain, gestures.addLinked(chain, nodes, "b", "before", agent))).toBe("(a | new) >> b");
    expect(perform(chain, gestures.addLane(chain, nodes, "b", agent))).toBe("a >> (b | new)");
  });

  it("add the first agent as the whole flow", () => {
    const empty = flowOf("");
    expect(perform(empty, gestures.addAtEnd(agent))).toBe("new");
  });

  it("add at the end what nothing is selected for", () => {
    expect(perform(chain, gestures.addAtEnd(agent))).toBe("a >> b >> new");
    const fan = flowOf("a >> (b | c)");
    expect(perform(fan, gestures.addAtEnd(agent))).toBe("a >> (b | c) >> new");
    const control = gestures.createControl(fan, "approval", "demo:x");
    expect(perform(fan, gestures.addControl(fan, nodesOf(fan), control, undefined))).toBe("a >> (b | c) >> approval");
  });

  it("delete a frame once, not its members too", () => {
    const nodes = nodesOf(nested);
    const gesture = gestures.deleteNodes(nested, nodes, ["review", "review/ann", "idle"]);
    expect(gesture).toMatchObject({ edits: [{ type: "delete-nodes", names: ["review", "idle"] }] });
    expect(perform(nested, gesture)).toBe("plan >> write");
  });

  it("pin what was moved, on top of the pin it had", () => {
    expect(
      toPositionEdits({ pins: { a: { dx: 1, dy: 1 } } }, [
        { key: "a", dx: 2.4, dy: 0 },
        { key: "b", dx: 0.2, dy: 0.1 },
      ]),
    ).toEqual([{ type: "set-pin", key: "a", pin: { dx: 3, dy: 1 } }]);
    expect(toPositionEdits(emptyLayout, [{ key: "constructor", dx: 5, dy: 5 }])).toEqual([
      { type: "set-pin", key: "constructor", pin: { dx: 5, dy: 5 } },
    ]);
  });

  it("name new agents without ever colliding", () => {
    expect(gestures.freeName(flowOf("agent >> agent_2"), "agent")).toBe("agent_3");
    expect(gestures.freeName(flowOf(""), "agent")).toBe("agent");
  });
});

describe("gestures in lanes, and among members without an order", () => {
  const agents = ["a", "b", "c", "d"].map((name) => `  ${name}: { model: "demo:x" }\n`).join("");
  const branchFile = `agents:\n${agents}branches:\n  is_it: { condition: "true", if_true: a >> b, if_false: c }\nswarm: { flow: is_it >> d }\n`;
  const handoffFile = `agents:\n${agents}swarm:\n  type: handoff\n  agents: [a, b]\n  edges: [[a, b]]\n`;

  /** The text after a gesture on what `text` draws. */
  const textAfter = (text: string, make: (flow: Flow, nodes: NodeIndex) => gestures.EditPlan): string => {
    const { flow } = readSource(text);
    const gesture = make(flow, nodesOf(flow));
    if (!gesture.ok) return gesture.message;
    const editor = openEditor(text);
    return editor.dispatch(gesture.edits)?.message ?? editor.store.getState().text;
  };

  it("change the lane that holds the card, and no other", () => {
    expect(textAfter(branchFile, (flow, nodes) => gestures.addAfter(flow, nodes, "is_it/c", agent))).toContain(
      "if_true: a >> b, if_false: c >> new",
    );
    expect(textAfter(branchFile, (flow, nodes) => gestures.deleteNodes(flow, nodes, ["is_it/b"]))).toContain(
      "if_true: a,",
    );
    expect(textAfter(branchFile, (flow, nodes) => gestures.addLane(flow, nodes, "is_it/a", agent))).toContain(
      "(a | new) >> b",
    );
  });

  it("draw and cut handoffs, and add members", () => {
    expect(textAfter(handoffFile, (flow, nodes) => gestures.connect(flow, nodes, "b", "a"))).toContain(
      "[[a, b], [b, a]]",
    );
    expect(textAfter(handoffFile, (flow, nodes) => gestures.addAfter(flow, nodes, "b", agent))).toContain("[b, new]");
    expect(textAfter(handoffFile, () => gestures.addAtEnd(agent))).toContain("[b, new]");
    const added = textAfter(handoffFile, (flow, nodes) => gestures.addLane(flow, nodes, "b", agent));
    expect(added).toContain("agents: [a, b, new]");
    expect(added).toContain("edges: [[a, b]]");
    expect(textAfter(handoffFile, (flow, nodes) => gestures.deleteNodes(flow, nodes, ["b"]))).toContain("edges: []");
  });

  it.each(["branch", "router", "loop", "approval"] as const)("put in a new %s that can run as it is", (type) => {
    const text = `agents:\n${agents}swarm: { flow: a >> b }\n`;
    const changed = textAfter(text, (flow, nodes) =>
      gestures.addControl(flow, nodes, gestures.createControl(flow, type, "demo:x"), "a"),
    );
    const { flow, problems } = readSource(changed);
    expect(flow.controls.get(type)?.type).toBe(type);
    expect(changed).toContain(`a >> ${type} >> b`);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it.each([
    ["loop", "body: a >> b count: 3"],
    ["branch", "if_true: a >> b if_false: if_no"],
    ["router", "first: when: the message is a question flow: a >> b second:"],
  ] as const)("put a new %s around the chosen cards, in their place", (type, lane) => {
    const text = `agents:\n${agents}swarm: { flow: c >> a >> b >> d }\n`;
    const changed = textAfter(
      text,
      (flow, nodes) => gestures.wrapInControl(flow, nodes, ["a", "b"], { type, model: "demo:x" }).plan,
    );
    const { flow, problems } = readSource(changed);
    expect(changed).toContain(`c >> ${type} >> d`);
    expect(changed.replace(/\s+/g, " ").replaceAll('"', "")).toContain(lane);
    expect(flow.controls.get(type)?.type).toBe(type);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("keep the comments of the flow text round a new control, and beside a new lane", () => {
    const text = `agents:\n${agents}swarm:\n  flow: |  # block\n    a        # first a\n    >> b    # left\n    >> c  # right\n`;
    for (const type of gestures.wrappingControls) {
      const changed = textAfter(
        text,
        (flow, nodes) => gestures.wrapInControl(flow, nodes, ["b", "c"], { type, model: "demo:x" }).plan,
      );
      expect(changed).toContain(`  flow: |  # block\n    a        # first a\n    >> ${type}\n`);
      expect(changed).toMatch(/: \|-\n( +)b {4}# left\n\1>> c {2}# right\n/);
    }
    expect(textAfter(text, (flow, nodes) => gestures.addLane(flow, nodes, "b", agent))).toContain(
      "  flow: |  # block\n    a        # first a\n    >> (b | new)    # left\n    >> c  # right\n",
    );
  });

  it("put a loop around members of a lane, and around one card", () => {
    const wrapLoop = (...keys: string[]) =>
      textAfter(
        branchFile,
        (flow, nodes) => gestures.wrapInControl(flow, nodes, keys, { type: "loop", model: "demo:x" }).plan,
      );
    expect(wrapLoop("is_it/a", "is_it/b")).toContain("if_true: loop, if_false: c");
    expect(wrapLoop("d")).toContain("is_it >> loop");
    expect(wrapLoop("is_it/a", "d")).toBe("Select members of the same group or swarm first.");
  });
});
