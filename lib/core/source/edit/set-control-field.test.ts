import { describe, expect, it } from "vitest";
import type { Edit } from "../../flow/edit";
import { agents, block, controlsOf, inBraces, lane, laneOf, root, set } from "../read/controls.arbitrary";
import { readSource } from "../read-source";
import { diff, edited, problemsOf } from "./edits.arbitrary";

const condition = '    condition: contains(input, "refund")   # plain words';
const money = '      money: "billing >> sales"   # as text';
const cases: [string, Edit, gone: string[], fresh: string[]][] = [
  [
    "a condition",
    set("check", ["condition"], "len(input) > 3"),
    [condition],
    ["    condition: len(input) > 3   # plain words"],
  ],
  [
    "a condition of several lines",
    set("check", ["condition"], "a\nor b"),
    [condition],
    ["    condition: |-   # plain words", "      a", "      or b"],
  ],
  ["another way", set("check", ["if_false"], "tech"), [], ["    if_false: tech"]],
  [
    "a text for a lane in short form",
    set("triage", ["lanes", "money", "flow"], "sales"),
    [money],
    ['      money: "sales"   # as text'],
  ],
  [
    "a second field for a lane in short form",
    set("triage", ["lanes", "money", "when"], "invoices"),
    [money],
    ["      money: { flow: billing >> sales, when: invoices }   # as text"],
  ],
  ["nothing to take out of a lane in short form", set("triage", ["lanes", "money", "when"]), [], []],
  ["nothing to take out of no lane", set("triage", ["lanes", "gone", "when"]), [], []],
  [
    "no text in a lane in short form",
    set("triage", ["lanes", "money", "flow"]),
    [money],
    ["      money: {}   # as text"],
  ],
  [
    "other words for a lane",
    set("triage", ["lanes", "help", "when"], "errors"),
    ["        when: it does not work # who knows"],
    ["        when: errors # who knows"],
  ],
  [
    "a new lane",
    set("triage", ["lanes", "a: b"], { when: "x # y", flow: "spare" }),
    [],
    ['      "a: b":', '        when: "x # y"', "        flow: spare"],
  ],
  ["a new lane by its words", set("triage", ["lanes", "new", "when"], "x"), [], ["      new:", "        when: x"]],
  ["a lane less, with its comment", set("triage", ["lanes", "money"]), ["      # short form", money], []],
  ["no lane's last field", set("triage", ["lanes", "rest", "when"]), ["        when: anything else"], []],
  ["a limit for a loop", set("refine", ["limit"], 5), [], ["    limit: 5"]],
  ["nothing that it does not have", set("refine", ["while"]), [], []],
  ["a time limit", set("ask", ["timeout_seconds"], 60), [], ["    timeout_seconds: 60"]],
  [
    "a member after another in a lane",
    { type: "add-agent", name: "x y", model: "demo:x", scope: lane("check", "if_true"), after: "billing" },
    ["    if_true: billing >> sales   # first money"],
    ["  x y:", "    if_true: billing >> x y >> sales   # first money"],
  ],
  [
    "a first member in an empty lane",
    { type: "add-agent", name: "fresh", model: "demo:x", scope: lane("triage", "rest") },
    [],
    ["  fresh:", "        flow: fresh"],
  ],
  [
    "a link in a lane",
    { type: "connect", scope: lane("triage", "help"), from: "tech", to: "spare" },
    ["        flow: tech"],
    ["        flow: tech >> spare"],
  ],
  [
    "no link in a lane in short form",
    { type: "disconnect", scope: lane("triage", "money"), from: "billing", to: "sales" },
    [money],
    ['      money: "(billing | sales)"   # as text'],
  ],
  [
    "members side by side in a lane",
    { type: "wrap-parallel", scope: lane("check", "if_true"), names: ["billing", "sales"] },
    ["    if_true: billing >> sales   # first money"],
    ["    if_true: (billing | sales)   # first money"],
  ],
  [
    "a group out of a lane",
    { type: "extract-group", scope: lane("check", "if_true"), names: ["billing", "sales"], name: "g", group: "serial" },
    ["    if_true: billing >> sales   # first money"],
    ["groups:", "  g:", "    type: serial", "    flow: billing >> sales", "    if_true: g   # first money"],
  ],
  [
    "a text for a lane",
    { type: "set-flow-text", scope: lane("check", "if_false"), text: "tech" },
    [],
    ["    if_false: tech"],
  ],
  [
    "no text for a lane",
    { type: "set-flow-text", scope: lane("check", "if_true"), text: " " },
    ["    if_true: billing >> sales   # first money"],
    [],
  ],
  [
    "a lane less its only member, which others use",
    { type: "delete-nodes", scope: lane("triage", "help"), names: ["tech"], declarations: false },
    ["        flow: tech"],
    [],
  ],
];

describe("an edit of a control", () => {
  it.each(cases)("gets %s, and every other line stays", (_, edit, gone, fresh) => {
    const after = edited(block, edit);
    const found = diff(block, after);
    expect(found.gone).toEqual(gone);
    const isModel = (line: string): boolean => line === "    model: demo:x";
    expect(found.fresh.filter((line) => !isModel(line))).toEqual(fresh);
    expect(problemsOf(after)).not.toContain("unknown-key");
    expect(edited(block.replaceAll("\n", "\r\n"), edit)).toBe(after.replaceAll("\n", "\r\n"));
    expect(controlsOf(edited(inBraces, edit))).toEqual(controlsOf(after));
  });

  it("keeps a text of several lines as it is written when a part of it is renamed", () => {
    const after = edited(block, { type: "rename", from: "writer", to: "a|b" });
    expect(after).toContain('    body: |\n      # twice\n      "a|b" >> critic\n');
  });

  it("deletes a member of two lanes from one of them only", () => {
    const once = edited(block, {
      type: "delete-nodes",
      scope: lane("triage", "money"),
      names: ["billing"],
      declarations: true,
    });
    expect(laneOf(once, "triage", "money")).toBe("sales");
    expect(laneOf(once, "check", "if_true")).toBe("billing >> sales");
    expect(readSource(once).flow.agents.has("billing")).toBe(true);
    const gone = edited(once, {
      type: "delete-nodes",
      scope: lane("check", "if_true"),
      names: ["billing"],
      declarations: true,
    });
    expect(readSource(gone).flow.agents.has("billing")).toBe(false);
  });

  it("empties a lane and fills it again, in short form and in long", () => {
    for (const text of [block, inBraces])
      for (const of of ["money", "help"]) {
        const all = ["billing", "sales", "tech"];
        const empty = edited(text, {
          type: "delete-nodes",
          scope: lane("triage", of),
          names: all,
          declarations: false,
        });
        expect(laneOf(empty, "triage", of)).toBeNull();
        const full = edited(empty, { type: "add-agent", name: "x >> y", scope: lane("triage", of) });
        expect(laneOf(full, "triage", of)).toBe('"x >> y"');
      }
  });

  it("deletes a loop that holds itself", () => {
    const text = `${agents}loops:\n  l: { body: l, count: 2 }\nswarm: { flow: planner >> l }\n`;
    expect(edited(text, { type: "delete-nodes", scope: root, names: ["l"], declarations: true })).not.toContain("l:  ");
    expect(controlsOf(edited(text, { type: "delete-nodes", scope: root, names: ["l"], declarations: true }))).toEqual(
      [],
    );
  });

  it("edits lanes in a file without `swarm:`", () => {
    const text = block.slice(0, block.indexOf("swarm:"));
    const less = edited(text, {
      type: "delete-nodes",
      scope: lane("triage", "money"),
      names: ["sales"],
      declarations: false,
    });
    expect(laneOf(less, "triage", "money")).toBe("billing");
    const more = edited(text, { type: "add-agent", name: "n", scope: lane("check", "if_false") });
    expect(laneOf(more, "check", "if_false")).toContain("n");
    // All agents of the file were its flow; the new one works in the lane only.
    expect(more).toContain("flow: planner >> billing >> tech >> sales >> writer >> critic >> spare\n");
  });

  it("leaves a text alone that nothing is taken out of", () => {
    const text = `${agents}swarm:\n  flow: |\n    # why\n    planner >> billing\n`;
    const after = edited(text, { type: "delete-nodes", scope: root, names: ["spare"], declarations: true });
    expect(diff(text, after)).toEqual({ gone: ["  spare:", "    model: demo:x"], fresh: [] });
  });

  it("takes a lane for what it is, whatever its name", () => {
    const text = `${agents}routers:\n  r:\n    lanes:\n      flow: { flow: tech, when: x }\n      lanes: { when: y }\nswarm: { flow: r }\n`;
    const after = edited(
      text,
      { type: "set-flow-text", scope: lane("r", "flow"), text: "sales" },
      { type: "add-agent", name: "n", scope: lane("r", "lanes") },
    );
    expect(after).toContain("      flow: { flow: sales, when: x }\n      lanes: { when: y, flow: n }\n");
  });

  it("refuses to draw over a lane that cannot be read", () => {
    const text = block.replace('"billing >> sales"', '"billing >> ("');
    expect(edited(text, { type: "add-agent", name: "n", scope: lane("triage", "money") })).toMatch(/^yaml-syntax/);
    const mended = edited(text, { type: "set-flow-text", scope: lane("triage", "money"), text: "billing" });
    expect(laneOf(mended, "triage", "money")).toBe("billing");
  });

  it.each([
    ["an unknown control", set("ghost", ["condition"], "x"), /^unknown-name/],
    ["an agent", set("planner", ["model"], "x"), /^unknown-name/],
    ["an unknown field", set("check", ["conditon"], "x"), /^unknown-key: .*Did you mean `condition`/],
    ["a field of another type", set("ask", ["lanes", "a"], {}), /^unknown-key/],
    ["a field inside a text", set("check", ["condition", "x"], "y"), /^invalid-value/],
    ["an unknown field of a lane", set("triage", ["lanes", "help", "who"], "x"), /^unknown-key/],
    ["a lane without a name", set("triage", ["lanes", ""], {}), /^invalid-name/],
    ["a lane with a name of two lines", set("triage", ["lanes", "a\nb", "when"], "x"), /^invalid-name/],
    ["a lane that is gone", { type: "add-agent", name: "n", scope: lane("triage", "gone") }, /^unknown-name/],
    ["a lane of an agent", { type: "add-agent", name: "n", scope: lane("planner", "body") }, /^unknown-name/],
    [
      "a place after an unknown name",
      { type: "add-control", control: "approval", name: "n", fields: {}, scope: root, after: "ghost" },
      /^unknown-name/,
    ],
    [
      "a control with fields of another",
      { type: "add-control", control: "approval", name: "n", fields: { body: "x" }, scope: root },
      /^unknown-key/,
    ],
    ["a taken name", { type: "add-control", control: "loop", name: "ask", fields: {}, scope: root }, /^name-taken/],
    ["a control in itself", { type: "connect", scope: lane("refine", "body"), from: "critic", to: "refine" }, /^cycle/],
    [
      "a control after itself in itself",
      { type: "add-agent", name: "n", scope: lane("refine", "body"), after: "refine" },
      /^cycle/,
    ],
    [
      "a control in itself, wrapped",
      { type: "wrap-serial", scope: lane("check", "if_false"), names: ["check", "tech"] },
      /^cycle/,
    ],
    [
      "a member of another lane",
      { type: "connect", scope: lane("triage", "help"), from: "tech", to: "sales" },
      /^duplicate-name: "sales" is in the lane "money"/,
    ],
  ] satisfies [string, Edit, RegExp][])("refuses %s", (_, edit, message) => {
    for (const text of [block, inBraces]) expect(edited(text, edit)).toMatch(message);
  });

  it("refuses a control that contains its future owner", () => {
    const text = `${agents}loops:\n  outer: { body: inner, count: 2 }\n  inner: { body: tech, count: 2 }\nswarm: { flow: outer }\n`;
    expect(edited(text, { type: "connect", scope: lane("inner", "body"), from: "tech", to: "outer" })).toMatch(
      /^cycle: "outer" cannot be in "inner"/,
    );
  });

  it("does not keep drafts in a lane", () => {
    const text = edited(block, {
      type: "set-flow-text",
      scope: lane("check", "if_false"),
      text: "(tech | spare) >> writer",
    });
    expect(edited(text, { type: "connect", scope: lane("check", "if_false"), from: "spare", to: "critic" })).toMatch(
      /^not-series-parallel/,
    );
  });
});
