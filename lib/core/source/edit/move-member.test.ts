import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainExpression } from "../../dsl/parse.arbitrary";
import { printFlow } from "../../dsl/print";
import { type Edit, emptyLayout, type Scope } from "../../flow/edit";
import { mapNames, nameExpression, namesOf, serialExpression } from "../../flow/expression";
import { applyEdit } from "../apply-edit";
import { graphOf, topologyOf } from "../read/topology";
import { readSource } from "../read-source";
import { edited } from "./edits.arbitrary";

const root: Scope = { type: "root" };
const group: Scope = { type: "group", name: "g" };
const file = (flow: string, members = "b | c", more = ""): string =>
  `agents:\n${["a", "b", "c", "d", "e"].map((name) => `  ${name}: { model: "demo:x" }\n`).join("")}groups:\n  g: { type: parallel, flow: "${members}" }\n${more}swarm:\n  flow: ${flow}\n`;
type Spot = Extract<Edit, { type: "move-member" }>["at"];
const move = (name: string, from: Scope | undefined, scope: Scope, at?: Spot): Edit => ({
  type: "move-member",
  name,
  scope,
  ...(from && { from }),
  ...(at && { at }),
});

describe("move-member", () => {
  it.each<[string, Edit, string]>([
    ["into a group", move("d", root, group), file("a >> g >> e", "b | c | d")],
    ["beside a member", move("d", root, group, { member: "b", side: "beside" }), file("a >> g >> e", "b | d | c")],
    ["after a member", move("d", root, group, { member: "b", side: "after" }), file("a >> g >> e", "b >> d | c")],
    ["out of a group", move("b", group, root, { member: "g", side: "before" }), file("a >> b >> g >> d >> e", "c")],
    ["out to the end", move("b", group, root), file("a >> g >> d >> e >> b", "c")],
    ["within a place", move("a", root, root, { member: "d", side: "after" }), file("g >> d >> a >> e")],
    ["next to another", move("a", root, root, { member: "d", side: "beside" }), file("g >> (d | a) >> e")],
  ])("moves %s", (_, edit, expected) => {
    expect(edited(file("a >> g >> d >> e"), edit)).toBe(expected);
  });

  it("leaves what is alone in its lane as it is written", () => {
    const text = file("a >> if", "b | c", `branches:\n  if:\n    condition: 'true'\n    if_true: "d" # first\n`);
    const lane: Scope = { type: "lane", name: "if", lane: "if_true" };
    expect(edited(text, move("d", lane, lane))).toBe(text);
  });

  it("puts what waits beside the flow into a place", () => {
    expect(edited(file("a >> g"), move("e", undefined, root, { member: "a", side: "before" }))).toBe(
      file("e >> a >> g"),
    );
  });

  it("moves into the empty lane of a branch, and out of it again", () => {
    const branch = 'branches:\n  if:\n    condition: input == "x"\n    if_true: d\n';
    const lane = (name: string): Scope => ({ type: "lane", name: "if", lane: name });
    const text = file("a >> g >> if >> e", "b | c", branch);
    const there = edited(text, move("e", root, lane("if_false")));
    expect(there).toContain("if_false: e");
    expect(edited(there, move("d", lane("if_true"), lane("if_false")))).toContain("if_false: e >> d");
  });

  it("takes members of rosters along, and reports who leads then", () => {
    const team = "swarms:\n  t: { type: team, agents: [d, e] }\n";
    const text = file("a >> g >> t", "b | c", team);
    const scope: Scope = { type: "swarm", name: "t" };
    expect(edited(text, move("b", group, scope))).toContain("agents: [d, e, b]");
    const result = applyEdit(readSource(text), emptyLayout, move("d", scope, root));
    expect(result.ok && result.notice).toBe('"e" leads in "t" now.');
  });

  it.each<[string, string, Edit, string]>([
    ["the last member", file("a >> g", "b"), move("b", group, root), '"b" is all that "g" holds'],
    ["a group into itself", file("a >> g >> d"), move("g", root, group), "cannot be in"],
    ["what is there already", file("a >> g >> b"), move("b", root, group), "already"],
    ["beside itself", file("a >> g"), move("a", root, root, { member: "a", side: "after" }), "beside itself"],
    ["what is not there", file("a >> g"), move("d", root, group), "is not in the flow"],
    ["next to an unknown name", file("a >> g"), move("a", root, group, { member: "e", side: "after" }), "is not in"],
  ])("refuses to move %s", (_, text, edit, message) => {
    expect(edited(text, edit)).toContain(message);
  });

  it("drops the pin of what moved and keeps the others", () => {
    const layout = { pins: { a: { dx: 1, dy: 1 }, "g/b": { dx: 2, dy: 2 }, "g/c": { dx: 3, dy: 3 } } };
    const result = applyEdit(readSource(file("a >> g")), layout, move("b", group, root));
    expect(result.ok && Object.keys(result.layout.pins)).toEqual(["a", "g/c"]);
  });
});

/** Which member leads to which, directly or through others, without `name`. */
function waysWithout(text: string, scope: Scope, name: string): string[] {
  const graph = graphOf(topologyOf(readSource(text).flow, scope));
  return graph.nodes
    .flatMap((from) => [...graph.reachableFrom(from)].map((to) => [from, to]))
    .filter((ends) => !ends.includes(name))
    .map(String)
    .toSorted();
}

describe("a moved member", () => {
  it("property: leaves every way between the others as it was, in both places", () => {
    fc.assert(
      fc.property(
        fc.tuple(plainExpression, plainExpression),
        fc.boolean(),
        fc.tuple(fc.nat(40), fc.nat(40)),
        fc.constantFrom("before" as const, "after" as const, "beside" as const, null),
        ([outer, inner], within, [i, j], side) => {
          const own = mapNames(inner, (name) => nameExpression(`in ${name}`));
          const all = namesOf(serialExpression([outer, own])).map(({ name }) => name);
          const declared = all.map((name) => `  ${name}: {}\n`).join("");
          const text = `agents:\n${declared}swarms:\n  s:\n    flow: ${printFlow(own)}\nswarm:\n  flow: s >> ${printFlow(outer)}\n`;
          const members = namesOf(outer).map(({ name }) => name);
          const name = members[i % members.length] ?? "";
          const scope: Scope = within ? root : { type: "swarm", name: "s" };
          const others = (within ? ["s", ...members] : namesOf(own).map((one) => one.name)).filter(
            (one) => one !== name,
          );
          const member = others[j % others.length] ?? "";
          const after = edited(text, move(name, root, scope, side ? { member, side } : undefined));
          for (const place of [root, scope])
            expect(waysWithout(after, place, name)).toEqual(waysWithout(text, place, name));
          const now = graphOf(topologyOf(readSource(after).flow, scope));
          expect([now.has(name), !side || side === "beside" || now.hasEdge(...ends(side, member, name))]).toEqual([
            true,
            true,
          ]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

const ends = (side: "before" | "after", member: string, name: string): [string, string] =>
  side === "after" ? [member, name] : [name, member];
