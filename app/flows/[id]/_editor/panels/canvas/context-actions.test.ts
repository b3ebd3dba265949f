import { describe, expect, it } from "vitest";
import { openSession } from "../../state/testing/open-session";
import { describeContext, listContextActions } from "./context-actions";

const source = `agents: { a: { model: "demo:x" }, b: { model: "demo:x" }, c: { model: "demo:x" } }
groups:
  review: { type: parallel, flow: b | c }
swarm:
  flow: a >> review
`;
const note = { x: 0, y: 0, width: 200, height: 100, text: "Why", color: "blue" } as const;
const open = () => {
  const session = openSession(source, { layout: { pins: {}, notes: { n: note } } });
  const labels = () => listContextActions(session).flatMap((group) => group.map(({ label }) => label));
  const run = (wanted: string) =>
    listContextActions(session)
      .flat()
      .find(({ label }) => label === wanted)
      ?.run();
  return { session, labels, run, text: () => session.editor.store.getState().text };
};

describe("the context menu", () => {
  it("lists what can be done with a card, a group, several cards, a link, a note and the canvas", () => {
    const { session, labels } = open();
    const { editor } = session;
    expect([describeContext(session), labels()[0]]).toEqual(["Canvas", "Add agent"]);
    editor.select(["a"]);
    expect(describeContext(session)).toBe("a");
    expect(labels()).toEqual(expect.arrayContaining(["Edit", "Connect to…", "Add agent after", "Duplicate", "Delete"]));
    expect(labels()).not.toContain("Inline group or swarm");
    editor.select(["review"]);
    expect(labels()).toContain("Inline group or swarm");
    editor.select(["review/b", "review/c"]);
    expect(describeContext(session)).toBe("2 selected");
    expect(labels()).toContain("Wrap as serial");
    editor.selectEdge("a//review");
    expect([describeContext(session), labels()]).toEqual(["Link from a to review", ["Insert here…", "Delete link"]]);
    editor.select(["/n/"]);
    expect(labels()).toEqual(["Edit text", "Cut", "Copy", "Paste", "Duplicate", "Delete"]);
  });

  it("shows the shortcut of each command", () => {
    const { session } = open();
    session.editor.select(["a"]);
    const keys = new Map(
      listContextActions(session)
        .flat()
        .map((action) => [action.label, action.keys]),
    );
    expect(["Edit", "Connect to…", "Copy", "Delete", "Add agent beside"].map((label) => keys.get(label))).toEqual([
      "Enter",
      "C",
      "Ctrl C",
      "Del",
      "B",
    ]);
  });

  it("acts on what is selected", () => {
    const { session, run, text } = open();
    session.editor.select(["a"]);
    run("Add agent after");
    expect(text()).toContain("flow: a >> agent >> review");
    session.editor.selectEdge("a//agent");
    run("Delete link");
    expect(text()).not.toContain("a >> agent");
  });
});
