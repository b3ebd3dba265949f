import { describe, expect, it } from "vitest";
import type { Edit } from "../../flow/edit";
import { plain } from "../read/source.arbitrary";
import { diff, documentOf, edited } from "./edits.arbitrary";

const root = { type: "root" } as const;

/** One flow in every style that YAML has for it, each with comments and an unknown field. */
const styles: Record<string, string> = {
  "block mappings": `# top
name: Styles
vars:
  tone: kind # how
agents:
  # the first
  alpha:
    model: demo:x # cheap
    color: red
    instructions: Find it.
  # the second
  beta:
    model: demo:y
groups:
  both:
    type: parallel # at once
    flow: alpha | beta
swarm:
  type: workflow
  flow: both # all
`,
  "braces on one line": `# top
name: Styles
vars: { tone: kind } # how
agents:
  # the first
  alpha: { model: "demo:x", color: red, instructions: Find it. } # cheap
  # the second
  beta: { model: demo:y }
groups:
  both: { type: parallel, flow: alpha | beta } # at once
swarm: { type: workflow, flow: both } # all
`,
  "sections in braces over lines": `# top
name: Styles
vars: {
  tone: kind # how
}
agents: {
  # the first
  alpha: { model: demo:x, color: red, instructions: Find it. },
  # the second
  beta: { model: demo:y }
}
groups: { both: { type: parallel, flow: alpha | beta } }
swarm: { type: workflow, flow: both } # all
`,
  "double quotes": `# top
"name": "Styles"
"vars":
  "tone": "kind" # how
"agents":
  # the first
  "alpha": { "model": "demo:x", "color": "red", "instructions": "Find it." }
  # the second
  "beta": { "model": "demo:y" }
"groups":
  "both": { "type": "parallel", "flow": "alpha | beta" }
"swarm": { "type": "workflow", "flow": "both" }
`,
  "block texts": `# top
name: >-
  Styles
vars:
  tone: |-
    kind
agents:
  # the first
  alpha:
    model: demo:x
    color: red
    instructions: >-
      Find
      it.
  # the second
  beta:
    model: demo:y
groups:
  both:
    type: parallel
    flow: |-
      alpha |
      beta
swarm:
  type: workflow
  flow: >-
    both
`,
  "deep indentation and empty lines": `# top
name:      Styles

vars:
        tone:   kind # how

agents:

        # the first
        alpha:
                model:   demo:x
                color:   red
                instructions:   Find it.

        # the second
        beta:
                model:   demo:y

groups:
        both:
                type: parallel
                flow: alpha | beta

swarm:
        type: workflow
        flow: both
`,
  "explicit keys": `# top
name: Styles
vars: { tone: kind }
agents:
  # the first
  ? alpha
  : model: demo:x
    color: red
    instructions: Find it.
  # the second
  ? beta
  : model: demo:y
groups:
  both: { type: parallel, flow: alpha | beta }
swarm: { type: workflow, flow: both }
`,
  "a document marker": `--- # begin
# top
name: Styles
vars: { tone: kind }
agents:
  # the first
  alpha: { model: demo:x, color: red, instructions: Find it. }
  # the second
  beta: { model: demo:y }
groups: { both: { type: parallel, flow: alpha | beta } }
swarm: { type: workflow, flow: both }
`,
};

styles["single quotes"] = styles["double quotes"]?.replaceAll('"', "'") ?? "";

const expected = plain(documentOf(styles["block mappings"] ?? "").flow);
const flowOf = (text: string) => documentOf(text).flow;
const commentsOf = (text: string): string[] =>
  text.match(/# (?:top|how|the first|the second|cheap|at once|all)/g) ?? [];

const membersIn = (text: string, owner: string | null): string[] =>
  (documentOf(text).topologies.get(owner)?.references ?? []).map(({ name }) => name);

/** Each edit, and what of the flow it must have changed. */
const edits: [title: string, edit: Edit, read: (text: string) => unknown, value: unknown][] = [
  [
    "a new field",
    { type: "set-agent-field", name: "beta", field: "max_steps", value: 3 },
    (text) => flowOf(text).agents.get("beta")?.max_steps,
    3,
  ],
  [
    "another value",
    { type: "set-agent-field", name: "alpha", field: "instructions", value: "Tell: #1\nand 'more'" },
    (text) => flowOf(text).agents.get("alpha")?.instructions,
    "Tell: #1\nand 'more'",
  ],
  [
    "a field without a value",
    { type: "set-agent-field", name: "alpha", field: "instructions" },
    (text) => flowOf(text).agents.get("alpha")?.instructions,
    "",
  ],
  [
    "an agent without its last field",
    { type: "set-agent-field", name: "beta", field: "model" },
    (text) => flowOf(text).agents.get("beta")?.model,
    undefined,
  ],
  [
    "a list",
    { type: "set-agent-field", name: "beta", field: "tools", value: ["read_page", "on: off"] },
    (text) => flowOf(text).agents.get("beta")?.tools,
    ["read_page", "on: off"],
  ],
  [
    "another agent",
    { type: "add-agent", name: "gamma", model: "demo:z", scope: root, after: "both" },
    (text) => [...flowOf(text).agents.keys()],
    ["alpha", "beta", "gamma"],
  ],
  [
    "another name",
    { type: "rename", from: "alpha", to: "a: b" },
    (text) => [...flowOf(text).agents.keys(), ...membersIn(text, "both")],
    ["a: b", "beta", "a: b", "beta"],
  ],
  [
    "another variable",
    { type: "set-var", name: "max", value: 3 },
    (text) => [...flowOf(text).vars],
    [
      ["tone", "kind"],
      ["max", 3],
    ],
  ],
  [
    "a limit",
    { type: "set-limit", field: "max_tokens", value: 500 },
    (text) => flowOf(text).limits,
    { max_tokens: 500 },
  ],
  [
    "a separator",
    { type: "set-separator", scope: { type: "group", name: "both" }, separator: "\n--\n" },
    (text) => flowOf(text).groups.get("both")?.separator,
    "\n--\n",
  ],
  ["another title", { type: "set-flow-name", name: "It's" }, (text) => flowOf(text).name, "It's"],
  [
    "a description",
    { type: "set-flow-description", text: "Two: agents" },
    (text) => flowOf(text).description,
    "Two: agents",
  ],
  [
    "another order",
    { type: "set-flow-text", scope: root, text: "both >> beta" },
    (text) =>
      documentOf(text)
        .topologies.get(null)
        ?.references.map(({ name }) => name),
    ["both", "beta"],
  ],
];

const written = Object.entries(styles).flatMap(([style, text]): [string, string][] => [
  [style, text],
  [`${style}, with Windows line ends`, text.replaceAll("\n", "\r\n")],
  [`${style}, without a last line end`, text.slice(0, -1)],
]);

describe.each(written)("a file in %s", (_style, text) => {
  it("is the same flow, with one problem for the unknown field", () => {
    expect(plain(flowOf(text))).toEqual(expected);
    const { problems } = documentOf(text);
    expect(
      problems.map(({ code, range }) => [code, range && text.slice(range.from, range.to).replaceAll(/["']/g, "")]),
    ).toEqual([["unknown-key", "color"]]);
  });

  it.each(edits)(
    "gets %s, and keeps its comments, its unknown field and its other lines",
    (_title, edit, read, value) => {
      const after = edited(text, edit);
      expect(read(after)).toEqual(value);
      expect(commentsOf(after)).toEqual(commentsOf(text));
      expect(after).toMatch(/"?'?color'?"?: +"?'?red/);
      const { gone, fresh } = diff(text, after);
      // A text of two lines turns braces into one key a line.
      expect(gone.length).toBeLessThanOrEqual(3);
      expect(fresh.length).toBeLessThanOrEqual(6);
    },
  );

  it("loses an agent everywhere, and keeps the other with its comment", () => {
    const after = edited(text, {
      type: "delete-nodes",
      scope: { type: "group", name: "both" },
      names: ["beta"],
      declarations: true,
    });
    expect([...flowOf(after).agents.keys()]).toEqual(["alpha"]);
    expect(after).not.toContain("beta");
    expect(after).toContain("# the first");
  });

  it("is the same to the byte after a rename there and back", () => {
    const there = edited(text, { type: "rename", from: "beta", to: "delta" });
    expect(there).not.toBe(text);
    expect(edited(there, { type: "rename", from: "delta", to: "beta" })).toBe(text);
  });

  it("is the same to the byte after a field came and went", () => {
    const field = { type: "set-agent-field", name: "beta", field: "max_steps" } as const;
    expect(edited(text, { ...field, value: 7 }, field)).toBe(text);
  });
});
