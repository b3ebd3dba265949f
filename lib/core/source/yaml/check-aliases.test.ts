import { describe, expect, it } from "vitest";
import { type Edit, emptyLayout } from "../../flow/edit";
import { declaredNames } from "../../kinds/members";
import { applyEdit } from "../apply-edit";
import { exportFlow } from "../formats/export/export-flow";
import { exportFormats, importFormats } from "../formats/format-names";
import { importFlow } from "../formats/import/import-flow";
import { copyFragment } from "../fragment/copy-fragment";
import { topSections } from "../read/sections";
import { readSource } from "../read-source";
import { formatSource } from "./format-source";

const root = { type: "root" } as const;
const start = readSource("agents:\n  a: { model: 'demo:x' }\n  b: { model: 'demo:x' }\nswarm: { flow: a >> b }\n");

const edits: Edit[] = [
  { type: "add-agent", name: "fresh", scope: root },
  { type: "delete-nodes", scope: root, names: ["a"], declarations: true },
  { type: "rename", from: "a", to: "fresh" },
  { type: "set-agent-field", name: "a", field: "output_schema", value: { type: "object" } },
  { type: "set-swarm-type", scope: root, swarm: "team" },
  { type: "set-var", name: "x", value: 1 },
];

/** Everything that a person can do with a text; none of it may throw. */
function exerciseText(text: string): void {
  for (const before of [undefined, start]) {
    const document = readSource(text, undefined, before);
    const names = declaredNames(document.flow);
    for (const edit of edits) applyEdit(document, emptyLayout, edit);
    for (const format of exportFormats) exportFlow(document, format);
    const fragment = copyFragment(document, [{ scope: root, names }]);
    applyEdit(start, emptyLayout, { type: "insert-fragment", text: fragment, scope: root, place: { type: "end" } });
  }
  applyEdit(start, emptyLayout, { type: "insert-fragment", text, scope: root, place: { type: "end" } });
  for (const format of importFormats) importFlow(text, format);
  formatSource(text);
}

const cyclic = [
  "&x [*x]",
  "&x { k: *x }",
  "&x { a: { model: 'demo:x', output_schema: *x } }",
  "{ a: { model: 'demo:x', output_schema: &x { type: object, properties: { y: *x } } } }",
  "{ a: &x { flow: *x, lanes: *x, edges: [*x], tools: *x, condition: *x } }",
  "&x { a: &y { b: *x, c: *y }, d: *y }",
  "&x\n  a:\n    output_schema: *x",
  "\n  a: &x\n    output_schema: *x",
];

describe("an alias inside the value that it repeats", () => {
  it.each(topSections())("is a problem with a range in `%s`, and nothing throws", (section) => {
    for (const body of cyclic) {
      const text = `${section === "agents" ? "" : "agents: { a: { model: 'demo:x' } }\n"}${section}: ${body}\n`;
      const found = readSource(text).problems.filter(({ code }) => code === "yaml-syntax");
      expect(found.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
        expect.stringMatching(/^error .*is inside the value that it repeats/),
      ]);
      expect(text.slice(found[0]?.range?.from, found[0]?.range?.to)).toMatch(/^\*[xy]$/);
      exerciseText(text);
    }
  });

  it("is found round the whole file, and leaves the flow that was read before", () => {
    const text = "&x\nagents: { a: { model: 'demo:x', output_schema: *x } }\n";
    expect(readSource(text).problems[0]).toMatchObject({ code: "yaml-syntax" });
    expect(readSource(text, undefined, start).flow).toBe(start.flow);
    exerciseText(text);
  });

  it("breaks its own declaration only where that can be read alone", () => {
    const text =
      "agents:\n  a:\n    model: 'demo:x'\n    output_schema: &s { y: *s }\n  b: { model: 'demo:x' }\nswarm: { flow: a >> b }\n";
    const document = readSource(text);
    expect(document.broken).toBe(false);
    expect(document.unreadableRanges).toMatchObject([{ owner: "a" }]);
    expect(document.flow.agents.get("b")?.model).toBe("demo:x");
  });
});

describe("what aliases repeat is bounded", () => {
  const laughs = [
    `l0: &l0 [${"x, ".repeat(9)}x]`,
    ...Array.from({ length: 20 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(9)}*l${i}]`),
  ].join("\n");
  const flowText = Array.from({ length: 20_000 }, (_, i) => `a${i}`).join(" >> ");

  it.each([
    ["lists of lists", `${laughs}\nagents: { a: { model: 'demo:x', output_schema: { x: *l20 } } }\n`],
    [
      "one long text many times",
      `groups:\n  g: &g { flow: "${flowText}" }\n${Array.from({ length: 20_000 }, (_, i) => `  g${i}: *g\n`).join("")}`,
    ],
  ])("%s", (_, text) => {
    const document = readSource(text);
    expect(document.problems[0]).toMatchObject({
      code: "yaml-syntax",
      message: expect.stringContaining("repeat more"),
    });
  });

  it("a schema with many aliases is copied whole", () => {
    const fields = Array.from({ length: 150 }, (_, i) => `f${i}: *t`).join(", ");
    const text = `agents:\n  a: { model: 'demo:x', output_schema: { z: &t { type: string }, ${fields} } }\nswarm: { flow: a }\n`;
    const fragment = copyFragment(readSource(text), [{ scope: root, names: ["a"] }]);
    expect(Object.keys(readSource(fragment).flow.agents.get("a")?.output_schema ?? {})).toHaveLength(151);
  });
});
