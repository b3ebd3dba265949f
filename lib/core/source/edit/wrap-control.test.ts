import { describe, expect, it } from "vitest";
import type { Edit, Scope } from "../../flow/edit";
import { readSource } from "../read-source";
import { edited } from "./edits.arbitrary";

const root = { type: "root" } as const;
const head = "name: Lines\nagents:\n  a: {model: demo:a}\n  b: {model: demo:b}\n  c: {model: demo:c}\n";
const tail = (...lines: string[]) =>
  `swarm:\n  type: workflow\n  flow: |  # block\n${lines.map((line) => `    ${line}\n`).join("")}`;
const wrapIn = (names: readonly string[], scope: Scope = root, body = "x"): Edit => ({
  type: "wrap-control",
  scope,
  names,
  control: "loop",
  name: "loop",
  fields: { body, count: 3 },
});
const loop = (...body: string[]) =>
  `loops:\n  loop:\n    body: ${body.length === 1 ? "" : "|-\n      "}${body.join("\n      ")}\n    count: 3\n`;

describe("a control around members", () => {
  const lines = ["a        # first a", ">> b    # left", ">> c  # right"];
  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ["the last members", ["b", "c"], ["a        # first a", ">> loop"], ["b    # left", ">> c  # right"]],
    ["the first members", ["a", "b"], ["loop", ">> c  # right"], ["a        # first a", ">> b    # left"]],
    ["all members", ["a", "b", "c"], ["loop"], ["a        # first a", ">> b    # left", ">> c  # right"]],
  ])("takes the comments of %s along and leaves the others", (_, names, rest, body) => {
    expect(edited(head + tail(...lines), wrapIn(names))).toBe(head + loop(...body) + tail(...rest));
  });

  it("takes parentheses along that hold nothing else, with the comment beside them", () => {
    const lanes = tail("a        # first a", ">> (b    # left", "   | c)  # right");
    expect(edited(head + lanes, wrapIn(["b", "c"]))).toBe(
      head + loop("(b    # left", "| c)  # right") + tail("a        # first a", ">> loop"),
    );
    expect(edited(head + lanes, wrapIn(["a", "b", "c"]))).toBe(
      head + loop("a        # first a", ">> (b    # left", "   | c)  # right") + tail("loop"),
    );
  });

  it("leaves comments where they are when others are between the members", () => {
    const lanes = tail("(a # first", "| b # left", "| c) # right");
    const after = edited(head + lanes, wrapIn(["a", "c"]));
    for (const comment of ["# first", "# left", "# right"]) expect(after.split(comment)).toHaveLength(2);
    expect(readSource(after).flow.swarm.flow).toMatchObject({ members: [{ name: "loop" }, { name: "b" }] });
  });

  it("writes one name into a text in quotes, in a group and in a lane", () => {
    const file = (flow: string) => `${head}${flow}`;
    expect(edited(file(`swarm: { flow: 'a>>"b"  >> c' }\n`), wrapIn(["b", "c"], root, "b >> c"))).toBe(
      file(`loops:\n  loop:\n    body: "\\"b\\"  >> c"\n    count: 3\nswarm: { flow: 'a>>loop' }\n`),
    );
    const group = file(`groups: { g: { flow: "a|b | c" } }\nswarm: { flow: g }\n`);
    expect(edited(group, wrapIn(["b", "c"], { type: "group", name: "g" }))).toContain('g: { flow: "a|loop" }');
    const lane = file(
      `branches:\n  x: { condition: "true", if_true: "a # why\\n>> b # too\\n>> c" }\nswarm: { flow: x }\n`,
    );
    const after = edited(lane, wrapIn(["b", "c"], { type: "lane", name: "x", lane: "if_true" }));
    expect(after).toContain('if_true: "a # why\\n>> loop" }');
    expect(after).toContain("body: |-\n      b # too\n      >> c\n");
  });

  it("refuses what is no part of its own, and what is not in the flow", () => {
    expect(edited(head + tail(...lines), wrapIn(["a", "c"]))).toContain("Select neighbours");
    expect(edited(head + tail("a"), wrapIn(["b"]))).toContain("Connect one of them first");
  });
});

describe("the text of members", () => {
  it("keeps the comments and the layout of what stays when it is set", () => {
    const before = head + tail("# order", "a        # first a", ">> b    # left", ">> c  # right");
    const set = (text: string): string => edited(before, { type: "set-flow-text", scope: root, text });
    expect(set("a >> (b | c)")).toBe(head + tail("# order", "a        # first a", ">> (b    # left", "| c)  # right"));
    expect(set("a >> b >> c")).toBe(before);
    expect(set("a >> (b")).toBe(head + tail("# order", "# first a", "# left", "# right", "a >> (b"));
  });
});
