import { describe, expect, it } from "vitest";
import { idOfDeclaration } from "../editor/follow-renames";
import type { Session } from "../session";
import { openTogether } from "../testing/open-together";

const source = `name: Shared
agents:
  a:
    model: "demo:writer"
    instructions: |-
      Begin.
  b: { model: "demo:writer" }
swarm:
  type: workflow
  flow: a >> b
`;

function openTwo() {
  const together = openTogether(source, 2);
  const [ann, bob] = together.members;
  if (!ann || !bob) throw new Error("Two members are expected.");
  ann.session.editor.select(["a"]);
  return { together, ann, bob };
}

/** The selection, and the ids of what is selected: the form of an id keeps the focus and its text. */
function shownBy({ editor }: Session) {
  const { selection, ids } = editor.store.getState();
  return selection.map((name) => [name, idOfDeclaration(ids, name)]);
}

describe("a form that is open while what it shows is renamed", () => {
  it.each<[by: string, rename: (session: Session) => void]>([
    ["an edit", ({ editor }) => void editor.dispatch([{ type: "rename", from: "a", to: "anna" }])],
    [
      "letters in the text",
      ({ editor }) => {
        for (const name of ["an", "ann", "anna"])
          editor.typeText(editor.store.getState().text.replace(/^ {2}an*:/m, `  ${name}:`));
      },
    ],
  ])("stays for the one who is in it: renamed by %s of someone else", (_, rename) => {
    const { together, ann, bob } = openTwo();
    rename(bob.session);
    together.settle();
    expect(shownBy(ann.session)).toEqual([["anna", "a"]]);
  });

  it("stays after several were renamed at once, and a new one has the old name", () => {
    const { together, ann, bob } = openTwo();
    ann.session.editor.select(["a", "b"]);
    together.lose(bob);
    bob.session.editor.dispatch([{ type: "rename", from: "a", to: "anna" }]);
    bob.session.editor.dispatch([{ type: "rename", from: "b", to: "berta" }]);
    bob.session.editor.dispatch([{ type: "add-agent", name: "a", scope: { type: "root" }, model: "demo:writer" }]);
    together.connect(bob);
    together.settle();
    expect(shownBy(ann.session)).toEqual([
      ["anna", "a"],
      ["berta", "b"],
    ]);
    ann.session.editor.select(["a"]);
    expect(shownBy(ann.session)).toEqual([["a", "a'"]]);
  });

  it("stays after someone else nested its agent in a swarm, with what is typed", () => {
    const { together, ann, bob } = openTwo();
    bob.session.editor.dispatch([{ type: "extract-swarm", scope: { type: "root" }, names: ["a", "b"], name: "s" }]);
    together.settle();
    expect(ann.session.editor.store.getState().selection).toEqual(["s/a"]);
  });

  it("is not the form of an agent that someone else added when he deleted the one of the form", () => {
    const { together, ann, bob } = openTwo();
    together.lose(bob);
    bob.session.editor.dispatch([{ type: "delete-nodes", scope: { type: "root" }, names: ["a"], declarations: true }]);
    bob.session.editor.dispatch([{ type: "add-agent", name: "c", scope: { type: "root" }, model: "demo:writer" }]);
    together.connect(bob);
    together.settle();
    expect(shownBy(ann.session)).toEqual([]);
    expect(ann.session.editor.store.getState().flow.agents.has("c")).toBe(true);
  });

  it("stays when its own user renames it, and when the rename is undone and done again", () => {
    const { ann } = openTwo();
    const { editor } = ann.session;
    editor.dispatch([{ type: "rename", from: "a", to: "anna" }]);
    expect(shownBy(ann.session)).toEqual([["anna", "a"]]);
    editor.undo();
    expect(shownBy(ann.session)).toEqual([["a", "a"]]);
    editor.redo();
    editor.select(["anna"]);
    expect(shownBy(ann.session)).toEqual([["anna", "a"]]);
  });
});

describe("an agent that two people rename, one of them like another agent that was renamed", () => {
  it.each([[[101, 102]], [[102, 101]]])("has one name: documents %j", (clients) => {
    const together = openTogether(source, 2, { clients });
    const [ann, bob] = together.members;
    if (!ann || !bob) throw new Error("Two members are expected.");
    together.lose(ann);
    const rename = ({ session }: typeof ann, from: string, to: string): void =>
      void expect(session.editor.dispatch([{ type: "rename", from, to }])).toBeNull();
    rename(ann, "a", "same");
    rename(ann, "b", "x");
    rename(bob, "b", "same");
    together.connect(ann);
    together.settle();
    const [text = ""] = together.texts();
    const names = [...text.matchAll(/^ {2}(\w+):(?= \{|$)/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^(?:x|same(?:_\d\d)?)$/);
  });
});
