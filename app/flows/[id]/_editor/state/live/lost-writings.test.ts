import { expect, it } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { toDocument } from "../editing/editing";
import { openField, openTogether } from "../testing/open-together";
import { isTextThere, putBack, putTextBack } from "./put-back";

const source = `name: Shared
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
  c:
    model: "demo:writer"
    instructions: |
      Read.
swarm:
  type: workflow
  flow: a >> b >> c
`;
const declaration = source.slice(source.indexOf("  c:\n"), source.indexOf("swarm:"));
const setInstructions = (value: string): Edit => ({ type: "set-agent-field", name: "c", field: "instructions", value });

/** The first one returns from being offline. */
function openApart() {
  const together = openTogether(source, 2);
  const [returning, staying] = together.members;
  if (!returning || !staying) throw new Error("Two members are expected.");
  together.lose(returning);
  const { session } = returning;
  return {
    together,
    returning: session,
    staying: staying.session,
    lostOf: () => session.live.store.getState().lost,
    meet(): void {
      together.settle();
      together.connect(returning);
      together.settle();
    },
  };
}

it("puts an agent back that its author renamed while someone else deleted it", () => {
  const { together, returning, staying, lostOf, meet } = openApart();
  returning.editor.dispatch([{ type: "rename", from: "b", to: "beta" }]);
  staying.editor.dispatch([{ type: "delete-nodes", scope: { type: "root" }, names: ["b"], declarations: true }]);
  meet();
  const [lost] = lostOf();
  if (!lost) throw new Error("A lost text is expected.");
  expect(lost).toMatchObject({ owner: "beta", before: { type: "agent" } });
  expect(putBack(returning, lost)).toBeNull();
  together.settle();
  for (const text of together.texts()) expect(text).toContain('  beta: { model: "demo:writer" }\n');
});

it("puts a text back in an agent that was cut and pasted", () => {
  const { together, returning, staying, lostOf, meet } = openApart();
  const field = openField(returning, setInstructions);
  field.type(" Be brief.");
  field.stop();
  staying.editor.typeText(source.replace(declaration, ""));
  staying.editor.typeText(source);
  meet();
  const [lost] = lostOf();
  if (!lost) throw new Error("A lost text is expected.");
  expect(lost).toMatchObject({ owner: "c", text: "Read. Be brief." });
  expect(putTextBack(returning, lost)).toBeNull();
  together.settle();
  for (const text of together.texts()) expect(text).toBe(source.replace("Read.", "Read. Be brief."));
});

it("says nothing of steps that someone else arranged anew, with all their names", () => {
  const { together, returning, staying, lostOf, meet } = openApart();
  returning.editor.dispatch([{ type: "rename", from: "b", to: "beta" }]);
  staying.editor.typeText(source.replace("  flow: a >> b >> c\n", "  flow: a >> b >> c\n  # my note\n"));
  staying.editor.typeText(source.replace("  flow: a >> b >> c\n", "  flow: a >> c >> b\n  # my note\n"));
  meet();
  expect(together.texts()[0]).toContain("  flow: a >> c >> beta\n");
  expect(lostOf()).toEqual([]);
});

it("keeps what someone else wrote in the field since, and what is put back", () => {
  const { together, returning, staying, lostOf, meet } = openApart();
  const field = openField(returning, setInstructions);
  field.type(" Be brief.");
  field.stop();
  staying.editor.typeText(source.replace(declaration, ""));
  staying.editor.typeText(source.replace("Read.", "Rad."));
  meet();
  const [lost] = lostOf();
  if (!lost) throw new Error("A lost text is expected.");
  expect(putTextBack(returning, lost)).toBeNull();
  together.settle();
  for (const text of together.texts()) expect(text).toContain("      Rad.\n      Read. Be brief.\n");
});

it.each(["tone", "model", "flow"])("tells of a variable that someone deleted while it was written: %s", (name) => {
  const together = openTogether(source.replace("agents:", `vars:\n  ${name}: calm\nagents:`), 2);
  const [writing, deleting] = together.members;
  if (!writing || !deleting) throw new Error("Two members are expected.");
  openField(writing.session, (value) => ({ type: "set-var", name, value })).replace(0, 4, "demo writer");
  deleting.session.editor.dispatch([{ type: "set-var", name }]);
  together.settle();
  expect(writing.session.live.store.getState().lost).toMatchObject([{ owner: name, text: "demo writer" }]);
});

it("puts the value of a variable back in the place of another one, once", () => {
  const together = openTogether(source.replace("agents:", "vars:\n  tone: calm\n  n: 1\nagents:"), 2);
  const [writing, deleting] = together.members;
  if (!writing || !deleting) throw new Error("Two members are expected.");
  openField(writing.session, (value) => ({ type: "set-var", name: "tone", value })).replace(0, 4, "demo writer");
  deleting.session.editor.dispatch([{ type: "set-var", name: "tone" }]);
  together.settle();
  deleting.session.editor.dispatch([{ type: "set-var", name: "tone", value: "warm" }]);
  together.settle();
  const [lost] = writing.session.live.store.getState().lost;
  if (!lost) throw new Error("A lost text is expected.");
  const isThere = () => isTextThere(toDocument(writing.session.editor.store.getState().document), lost);
  expect(isThere()).toBe(false);
  expect(putTextBack(writing.session, lost)).toBeNull();
  expect(isThere()).toBe(true);
  expect(writing.session.editor.store.getState().flow.vars.get("tone")).toBe("demo writer");
});
