import { describe, expect, it } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { openTogether } from "../../testing/open-together";

const root = { type: "root" } as const;
const groups = Array.from({ length: 12 }, (_, index) => `g${index}`);
const source = `name: Shared
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:writer" }
  c: { model: "demo:writer" }
  e: { model: "demo:writer" }
groups:
${groups.map((name) => `  ${name}: { flow: "a | b" }\n`).join("")}swarm:
  type: workflow
  flow: a >> b >> c >> ${groups.join(" >> ")}
`;
const remove: Edit = { type: "delete-nodes", scope: root, names: ["c"], declarations: true };
const rename: Edit = { type: "rename", from: "c", to: "d" };
const setFlow = (text: string): Edit => ({ type: "set-flow-text", scope: root, text });
const setGroup = (name: string, text: string): Edit => ({
  type: "set-flow-text",
  scope: { type: "group", name },
  text,
});

function openTwo() {
  const together = openTogether(source, 2, { clients: [1, 2] });
  const [first, second] = together.members;
  if (!first || !second) throw new Error("Two members are expected.");
  const changeAs =
    ({ session }: typeof first) =>
    (...edits: Edit[]): void =>
      expect(session.editor.dispatch(edits)).toBeNull();
  return { together, first, second, change: changeAs(first), edit: changeAs(second) };
}

/** The text that everyone has. */
function meet({ together }: ReturnType<typeof openTwo>): string {
  together.settle();
  const [text = "", ...others] = together.texts();
  for (const one of others) expect(one).toBe(text);
  return text;
}

describe("a line that someone commits who knew", () => {
  it.each<[string, Edit, line: string]>([
    ["of a deletion keeps the deleted name", remove, "a >> b >> c"],
    ["of a renaming keeps the old name", rename, "a >> c >> b >> d"],
  ])("%s", (_, before, line) => {
    const two = openTwo();
    two.change(before);
    meet(two);
    two.edit(setFlow(line));
    expect(meet(two)).toContain(`  flow: ${line}\n`);
    // Whatever is changed later is settled again.
    two.change(setGroup("g1", "a | b | e"));
    expect(meet(two)).toContain(`  flow: ${line}\n`);
  });

  it("of the deletion of an agent that was in no flow keeps its name", () => {
    const two = openTwo();
    two.change({ ...remove, names: ["e"] });
    meet(two);
    two.edit(setFlow("a >> b >> e"));
    expect(meet(two)).toContain("  flow: a >> b >> e\n");
  });

  it("keeps the name for someone who opens the flow later", () => {
    const two = openTwo();
    two.change(remove);
    meet(two);
    two.edit(setGroup("g0", "a | b | c"));
    meet(two);
    two.together.lose(two.first);
    two.edit(setFlow("a >> b >> c"));
    two.change(setGroup("g1", "a | b | e"));
    two.together.connect(two.first);
    const text = meet(two);
    expect(text).toContain("  flow: a >> b >> c\n");
    expect(text).toContain('g0: { flow: "a | b | c" }');
  });
});

describe("what someone writes without knowing", () => {
  it.each<[string, Edit, group: string]>([
    ["of a deletion loses the deleted agent in all of many groups", remove, "a | b"],
    ["of a renaming has the new name in all of many groups", rename, "a | b | d"],
  ])("%s", (_, before, group) => {
    const two = openTwo();
    // Everything is received in one update.
    two.together.lose(two.second);
    two.change(before);
    two.edit(...groups.map((name) => setGroup(name, "a | b | c")));
    two.together.connect(two.second);
    const text = meet(two);
    for (const name of groups) expect(text).toContain(`${name}: { flow: "${group}" }`);
  });

  it("of a deletion loses the agent also where two people changed the same group", () => {
    const two = openTwo();
    two.together.lose(two.second);
    two.change(remove);
    two.change(setGroup("g0", "e | a | b"));
    two.edit(setGroup("g0", "a | b | c"));
    two.together.connect(two.second);
    expect(meet(two)).toContain('g0: { flow: "e | a | b" }');
  });

  it("of a deletion loses the agent also under the new name that someone else gave it", () => {
    const two = openTwo();
    two.together.lose(two.second);
    two.change(rename);
    two.change(setGroup("g0", "a | b | d"));
    two.edit(remove);
    two.together.connect(two.second);
    const text = meet(two);
    expect(text).toContain('g0: { flow: "a | b" }');
    expect(text).not.toMatch(/\b[cd]\b/);
  });
});
