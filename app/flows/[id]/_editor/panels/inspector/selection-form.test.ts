import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { toCanvas } from "@/app/_canvas/mapping/canvas-mapping";
import { CanvasContext } from "@/app/_canvas/state/canvas-session";
import { KindIcon, labelOfKind } from "@/app/_kinds/kind-icon";
import {
  builtInViews,
  findKindView,
  listControlTypes,
  listInsertEntries,
  registerKindView,
} from "@/app/_kinds/registry";
import { delayView } from "@/app/_kinds/testing/delay";
import type { Approval } from "@/lib/core/kinds/approval";
import { builtInKinds, registerNodeKind } from "@/lib/core/kinds/registry";
import { delayKind } from "@/lib/core/kinds/testing/delay";
import { SessionContext } from "../../state/session-context";
import { openSession } from "../../state/testing/open-session";
import { listInsertions } from "../palette/insert-entries";
import { NodeForm } from "./selection-form";

const source = `agents:\n  a: { model: "demo:x" }\napprovals:\n  wait: { message: Wait? }\nswarm: { flow: a >> wait }\n`;
const session = openSession(source);
const state = session.editor.store.getState();
const arrangedNode = state.arrangement.nodes.find(({ name }) => name === "wait");
const approval: Approval = { type: "approval", name: "wait", message: "" };
const delay = Object.assign({ ...approval }, { type: "delay", seconds: 5 });

const render = (declaration: typeof approval): string => {
  if (!arrangedNode) throw new Error("the test flow has no node called wait");
  const form = createElement(NodeForm, { declaration, node: arrangedNode, tab: "settings", onTab: () => {} });
  const canvas = createElement(CanvasContext, { value: session }, form);
  return renderToStaticMarkup(createElement(SessionContext, { value: session }, canvas));
};

describe("the views of node kinds", () => {
  it("exist for every kind of the core", () => {
    expect(Object.keys(builtInViews).sort()).toEqual(Object.keys(builtInKinds).sort());
  });

  it("render a form for each control", () => {
    expect(render(approval)).toContain("Timeout, seconds");
  });
});

describe("a new kind with one file in app", () => {
  registerNodeKind(delayKind);
  registerKindView("delay", delayView);

  it("is drawn as a card with its detail", () => {
    const nodes = state.arrangement.nodes.map((node) =>
      node.name === "wait" ? Object.assign({ ...node }, { type: "delay" }) : node,
    );
    const { nodes: canvasNodes } = toCanvas({
      flow: { ...state.flow, controls: new Map([["wait", delay]]) },
      arrangement: { ...state.arrangement, nodes },
      problems: [],
      selection: [],
      edge: null,
    });
    expect(canvasNodes.find(({ id }) => id === "wait")).toMatchObject({
      type: "closedFrame",
      data: { kind: "delay", detail: "5 s", detailIsText: true },
    });
  });

  it("has a form with a field that commits an edit", () => {
    const html = render(delay);
    expect(html).toContain("More for this delay");
    expect(html).toMatch(/Seconds.*value="5"/);
    const [field] = findKindView("delay")?.toForm(delay) ?? [];
    expect(field?.type === "number" && field.toEdit(10)).toEqual({
      type: "set-control-field",
      name: "wait",
      path: ["seconds"],
      value: 10,
    });
  });

  it("is offered with the other controls of the toolbar", () => {
    expect(listControlTypes()).toEqual(["branch", "router", "loop", "approval", "delay"]);
  });

  it("has an icon, a label and an entry in the insert menu", () => {
    expect(renderToStaticMarkup(createElement(KindIcon, { kind: "delay" }))).toContain("lucide-timer");
    expect(labelOfKind("delay")).toBe("Delay");
    expect(listInsertEntries().map(({ id }) => id)).toContain("delay");
    const entry = listInsertions(session, { type: "selection" }).find(({ title }) => title === "Delay");
    expect(entry).toMatchObject({ detail: "A pause before the flow continues", kind: "delay" });
  });
});
