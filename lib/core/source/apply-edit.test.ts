import { afterEach, describe, expect, it, vi } from "vitest";
import { type Edit, emptyLayout, type Scope } from "../flow/edit";
import { applyChanges } from "../flow/text-change";
import { rosterOf } from "../kinds/swarm-roster";
import { applyEdit } from "./apply-edit";
import { performers } from "./perform-edit";
import { readSource } from "./read-source";

const root: Scope = { type: "root" };

/** The text after the edits; the message of the first that is refused. */
function edit(text: string, ...edits: Edit[]): string {
  let current = text;
  let layout = emptyLayout;
  for (const one of edits) {
    const result = applyEdit(readSource(current), layout, one);
    if (!result.ok) return `refused: ${result.problem.message}`;
    current = applyChanges(current, result.changes);
    layout = result.layout;
  }
  return current;
}

const kitchenSink = `# A flow for tests.
name: Article   # shown in the list

vars: { tone: friendly }
agents:
  # Plans the work.
  planner: { model: demo:planner, instructions: "Plan it." } # one line
  researcher:
    model: 'demo:researcher'
    instructions: |
      Find facts.

      Tone: \${vars.tone}
    tools:
      - calculator
      - read_page

  # Criticises.
  critic:
    model: demo:critic   # cheap
    max_steps: 5
  writer: { model: demo:writer }

groups:
  review: { type: parallel, flow: "critic | writer", separator: " / " }
swarm:
  type: workflow
  # the whole thing
  flow: planner >> researcher >> review   # left to right
`;

const tone = `      Tone: \${vars.tone}`;

/** Lines of the old text that are not in the new one, and the other way round. */
function diff(before: string, after: string): { gone: string[]; fresh: string[] } {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const gone = [...old];
  const fresh: string[] = [];
  for (const line of now) {
    const at = gone.indexOf(line);
    if (at >= 0) gone.splice(at, 1);
    else fresh.push(line);
  }
  return { gone, fresh };
}

describe("applyEdit", () => {
  it("draws the flow of the first page from nothing", () => {
    const names = ["planner", "researcher_1", "researcher_2", "researcher_3", "critic", "writer"];
    const links = [
      ["planner", "researcher_1"],
      ["planner", "researcher_2"],
      ["planner", "researcher_3"],
      ["researcher_1", "critic"],
      ["researcher_2", "critic"],
      ["researcher_3", "critic"],
      ["critic", "writer"],
    ];
    const text = edit(
      "",
      ...names.map((name): Edit => ({ type: "add-agent", name, model: `demo:${name}`, scope: root })),
      ...links.map(([from = "", to = ""]): Edit => ({ type: "connect", scope: root, from, to })),
    );
    expect(text).toContain("flow: planner >> (researcher_1 | researcher_2 | researcher_3) >> critic >> writer");
    expect(readSource(text).problems).toEqual([]);
  });

  const cases: [title: string, edits: Edit[], gone: string[], fresh: string[]][] = [
    [
      "set a field",
      [{ type: "set-agent-field", name: "critic", field: "model", value: "demo:editor" }],
      ["    model: demo:critic   # cheap"],
      ["    model: demo:editor   # cheap"],
    ],
    [
      "set a quoted field",
      [{ type: "set-agent-field", name: "researcher", field: "model", value: "openai:gpt-5-mini" }],
      ["    model: 'demo:researcher'"],
      ["    model: 'openai:gpt-5-mini'"],
    ],
    [
      "add a field",
      [{ type: "set-agent-field", name: "critic", field: "temperature", value: 0.5 }],
      [],
      ["    temperature: 0.5"],
    ],
    [
      "add a field to one line",
      [{ type: "set-agent-field", name: "writer", field: "max_steps", value: 3 }],
      ["  writer: { model: demo:writer }"],
      ["  writer: { model: demo:writer, max_steps: 3 }"],
    ],
    ["remove a field", [{ type: "set-agent-field", name: "critic", field: "max_steps" }], ["    max_steps: 5"], []],
    [
      "change a list",
      [{ type: "set-agent-field", name: "researcher", field: "tools", value: ["calculator"] }],
      ["    tools:", "      - calculator", "      - read_page"],
      ["    tools: [calculator]"],
    ],
    [
      "change a long text",
      [{ type: "set-agent-field", name: "researcher", field: "instructions", value: "Find facts.\n\nBe quick.\n" }],
      [tone],
      ["      Be quick."],
    ],
    [
      "rename",
      [{ type: "rename", from: "critic", to: "editor" }],
      ["  critic:", '  review: { type: parallel, flow: "critic | writer", separator: " / " }'],
      ["  editor:", '  review: { type: parallel, flow: "editor | writer", separator: " / " }'],
    ],
    [
      "rename to an awkward name",
      [{ type: "rename", from: "writer", to: "a >> b" }],
      ["  writer: { model: demo:writer }", '  review: { type: parallel, flow: "critic | writer", separator: " / " }'],
      [
        "  a >> b: { model: demo:writer }",
        '  review: { type: parallel, flow: "critic | \\"a >> b\\"", separator: " / " }',
      ],
    ],
    [
      "delete",
      [{ type: "delete-nodes", scope: root, names: ["researcher"], declarations: true }],
      [
        "  researcher:",
        "    model: 'demo:researcher'",
        "    instructions: |",
        "      Find facts.",
        "",
        tone,
        "    tools:",
        "      - calculator",
        "      - read_page",
        "  flow: planner >> researcher >> review   # left to right",
      ],
      ["  flow: planner >> review   # left to right"],
    ],
    [
      "delete with its comment",
      [{ type: "delete-nodes", scope: { type: "group", name: "review" }, names: ["critic"], declarations: true }],
      [
        "  # Criticises.",
        "  critic:",
        "    model: demo:critic   # cheap",
        "    max_steps: 5",
        '  review: { type: parallel, flow: "critic | writer", separator: " / " }',
      ],
      ['  review: { type: parallel, flow: "writer", separator: " / " }'],
    ],
    [
      "insert after",
      [{ type: "add-agent", name: "checker", model: "demo:checker", scope: root, after: "planner" }],
      ["  flow: planner >> researcher >> review   # left to right"],
      ["  checker:", "    model: demo:checker", "  flow: planner >> checker >> researcher >> review   # left to right"],
    ],
    [
      "wrap",
      [{ type: "wrap-parallel", scope: root, names: ["planner", "researcher"] }],
      ["  flow: planner >> researcher >> review   # left to right"],
      ["  flow: (planner | researcher) >> review   # left to right"],
    ],
    [
      "name the flow",
      [{ type: "set-flow-name", name: "Essay" }],
      ["name: Article   # shown in the list"],
      ["name: Essay   # shown in the list"],
    ],
    [
      "set a separator",
      [{ type: "set-separator", scope: { type: "group", name: "review" }, separator: "\n" }],
      ['  review: { type: parallel, flow: "critic | writer", separator: " / " }'],
      ['  review: { type: parallel, flow: "critic | writer", separator: "\\n" }'],
    ],
    [
      "extract a swarm",
      [{ type: "extract-swarm", scope: root, names: ["planner", "researcher"], name: "start" }],
      ["  flow: planner >> researcher >> review   # left to right"],
      [
        "swarms:",
        "  start:",
        "    type: workflow",
        "    flow: planner >> researcher",
        "  flow: start >> review   # left to right",
      ],
    ],
  ];
  it.each(cases)("touches only the lines it names: %s", (_, edits, gone, fresh) => {
    const after = edit(kitchenSink, ...edits);
    const found = diff(kitchenSink, after);
    expect(found.gone.toSorted()).toEqual(gone.toSorted());
    expect(found.fresh).toEqual(fresh);
    expect(readSource(after).problems.filter((problem) => problem.severity === "error")).toEqual([]);
  });

  it("keeps a topology without a flow text as a draft, and writes it back once a text exists", () => {
    const start =
      "agents: { a: {model: demo:a}, b: {model: demo:b}, c: {model: demo:c}, d: {model: demo:d} }\nswarm:\n  flow: (a | b) >> c\n";
    const draft = edit(start, { type: "connect", scope: root, from: "b", to: "d" });
    expect(draft).toContain("edges: [[a, c], [b, c], [b, d]]");
    expect(readSource(draft).problems.map((problem) => problem.code)).toContain("not-series-parallel");
    const mended = edit(draft, { type: "connect", scope: root, from: "a", to: "d" });
    expect(mended).toContain("flow: (a | b) >> (c | d)");
    expect(readSource(mended).problems).toEqual([]);
  });

  it.each([
    ["[[a, c], [b, c], [b, d]]", ["flow: (a | b) >> (c | d)", "flow: (a >> c | b >> d)"]],
    ["[[a, b], [b, c], [a, c], [c, d]]", ["flow: a >> b >> c >> d"]],
    ["[[a, b], [b, c], [c, d]]", ["flow: a >> b >> c >> d"]],
    ["[[a, b], [b, a], [c, d]]", []],
  ])("mends the draft %s by each of its repairs", (edges, mended) => {
    const draft = `agents: { a: {model: demo:a}, b: {model: demo:b}, c: {model: demo:c}, d: {model: demo:d} }\nswarm:\n  edges: ${edges}\n`;
    const [problem] = readSource(draft).problems.filter(({ severity }) => severity === "error");
    expect(problem?.code).toMatch(/not-series-parallel|cycle/);
    const texts = problem?.repairs?.map((repair) => edit(draft, repair.edit)) ?? [];
    expect(texts.map((text) => text.split("\n").at(2)?.trim())).toEqual(mended);
    for (const text of texts) expect(readSource(text).problems).toEqual([]);
  });

  it.each([
    ["a link that is there", { type: "connect", scope: root, from: "planner", to: "researcher" }, /already/],
    ["a link that is implied", { type: "connect", scope: root, from: "planner", to: "review" }, /already through/],
    ["a circle", { type: "connect", scope: root, from: "review", to: "planner" }, /circle/],
    ["a taken name", { type: "rename", from: "planner", to: "review" }, /already/],
    ["an empty name", { type: "rename", from: "planner", to: " " }, /name/],
    ["a selection with a gap", { type: "wrap-parallel", scope: root, names: ["planner", "review"] }, /leaves out/],
    [
      "an unknown scope",
      { type: "connect", scope: { type: "group", name: "gone" }, from: "planner", to: "critic" },
      /no group/,
    ],
  ] satisfies [string, Edit, RegExp][])("refuses %s", (_, wrong, message) => {
    expect(edit(kitchenSink, wrong)).toMatch(message);
  });

  it("changes nothing while the text is broken", () => {
    expect(edit("agents: {a: [", { type: "rename", from: "a", to: "b" })).toMatch(/refused: "a" cannot be changed/);
    expect(edit("{ agents: { a: [ }", { type: "rename", from: "a", to: "b" })).toMatch(/refused: The text/);
  });

  it("keeps Windows line ends and a missing last line end", () => {
    const text = "agents:\r\n  a:\r\n    model: demo:a\r\nswarm:\r\n  flow: a";
    const after = edit(text, { type: "add-agent", name: "b", model: "demo:b", scope: root, after: "a" });
    expect(after).toBe("agents:\r\n  a:\r\n    model: demo:a\r\n  b:\r\n    model: demo:b\r\nswarm:\r\n  flow: a >> b");
  });
});

describe("add-agent at the end", () => {
  const addLast = (text: string) => readSource(edit(text, { type: "add-agent", name: "z", scope: root, atEnd: true }));

  it("links it to every last step of a drawing that has no flow text", () => {
    const text =
      "agents: { a: {}, b: {}, c: {}, d: {} }\nswarm:\n  type: workflow\n  edges: [[a, c], [a, d], [b, d]]\n";
    const { swarm } = addLast(text).flow;
    expect(swarm.edges).toEqual(
      expect.arrayContaining([
        ["c", "z"],
        ["d", "z"],
        ["b", "d"],
      ]),
    );
  });

  it("joins the end of the implied order", () => {
    expect(rosterOf(addLast("agents:\n  a: {}\n  b: {}\n").flow.swarm)).toEqual(["a", "b", "z"]);
  });
});

describe("set-direction", () => {
  it("changes the layout and no text, even of a file that cannot be read, and pins turn with it", () => {
    for (const text of ["agents: {}\n", "agents: [\n"]) {
      const pins = { a: { dx: 1, dy: 2 } };
      const result = applyEdit(readSource(text), { pins }, { type: "set-direction", direction: "down" });
      expect(result).toEqual({ ok: true, changes: [], layout: { pins: { a: { dx: 2, dy: 1 } }, direction: "down" } });
    }
  });
});

describe("an edit that has a fault", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const text = "agents:\n  a: { model: x }\n  b: { model: y }\nswarm:\n  flow: a >> b\n";
  it.each([
    ["removes another agent", "  b: { model: y }\n", "", /"b" would be lost/],
    ["changes another agent", "model: y", "model: z", /"b" would change too/],
    ["makes the file unreadable", "agents:", "agents: {", /could not be read any more/],
  ])("is refused when it %s, in an ordinary file", (_, old, insert, message) => {
    const from = text.indexOf(old);
    vi.spyOn(performers, "set-agent-field").mockImplementation((transaction) => {
      transaction.apply([{ from, to: from + old.length, insert }]);
      return undefined;
    });
    expect(edit(text, { type: "set-agent-field", name: "a", field: "model", value: "z" })).toMatch(message);
  });
});
