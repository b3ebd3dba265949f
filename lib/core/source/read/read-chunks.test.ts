import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLayout } from "../../flow/edit";
import { namesOf } from "../../flow/expression";
import { applyChanges } from "../../flow/text-change";
import { declaredNames } from "../../kinds/members";
import { applyEdit } from "../apply-edit";
import { readSource } from "../read-source";
import { writeSource } from "../write-source";
import { anyCare, anyFlow, plain, takeCare } from "./source.arbitrary";
import type { SourceDocument } from "./source-document";
import { readStructure, type SourceStructure } from "./source-structure";

const source = `# kept
name: Test
vars: { tone: kind }
agents:
  plan: { model: "demo:x" } # first
  ann:
    model: "demo:x"
    instructions: |
      Look.

      Tell.
  write: { model: "demo:x" }
groups:
  review: { type: parallel, flow: "ann | plan" }
swarm:
  type: workflow
  flow: review >> write
`;

/** All data of a document, with its offsets less `shift`. */
function tellOf(document: SourceDocument, shift = 0): unknown {
  const move = (range?: { from: number; to: number } | null) =>
    range && { from: range.from - shift, to: range.to - shift };
  const { flow, problems, unreadableRanges: brokenParts, declarations, topologies, sections, text } = document;
  return {
    flow: plain(flow),
    problems: problems.map(({ range, fix, ...problem }) => ({
      ...problem,
      range: move(range),
      fix: fix && { ...fix, changes: fix.changes.map((change) => ({ ...change, ...move(change) })) },
    })),
    brokenParts: brokenParts.map(({ range, ...part }) => ({ ...part, range: move(range) })),
    declarations: [...declarations.values()].map(({ type: kind, name, nameNode, value, entries }) => [
      kind,
      name,
      move(document.rangeOf(name)),
      (nameNode.range?.[0] ?? 0) - shift,
      value && text.slice(value.range?.[0], value.range?.[1]).trimEnd(),
      [...entries].map(([key, { keyNode }]) => [key, (keyNode.range?.[0] ?? 0) - shift]),
    ]),
    topologies: [...topologies].map(([owner, { references, texts }]) => [
      owner,
      references.map(({ name, range }) => [name, move(range)]),
      [...texts].map(([lane, { keyNode }]) => [lane, (keyNode.range?.[0] ?? 0) - shift]),
    ]),
    sections: [...sections].map(([key, { keyNode }]) => [key, (keyNode.range?.[0] ?? 0) - shift]),
  };
}

/** With a directive in front a file is read as a whole. */
const directive = "%YAML 1.2\n---\n";

/** What a user may type or paste anywhere. */
const anyTyping = fc.array(
  fc.record({
    at: fc.nat(9999).map((place) => place / 10_000),
    length: fc.constantFrom(0, 0, 0, 1, 7, 60),
    insert: fc.constantFrom(
      "",
      "a",
      "x",
      ": ",
      "\n",
      "\n  ",
      "\n    ",
      '"',
      "[",
      "}",
      "- ",
      "#",
      "\n  new: {}\n",
      " >> a",
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

describe("a flow file that is read in parts", () => {
  it("takes a name apart from its section whatever separates its words", () => {
    const source = 'branches:\n  A\u2028!:\n    condition: contains(input, "x")\n    if_true: x\n';
    expect([...readSource(source).flow.controls.keys()]).toEqual(["A\u2028!"]);
  });

  it("property: equals one that is read as a whole", () => {
    fc.assert(
      fc.property(anyFlow, anyCare, (flow, care) => {
        const text = takeCare(writeSource(flow), care);
        const [cut, whole] = [readSource(text), readSource(directive + text)];
        expect([cut.structure.cache !== null, whole.structure.cache]).toEqual([true, null]);
        expect(tellOf(cut)).toEqual(tellOf(whole, directive.length));
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });

  it("property: equals the text read anew after every change", () => {
    fc.assert(
      fc.property(anyFlow, anyCare, anyTyping, (flow, care, typing) => {
        let text = takeCare(writeSource(flow), care);
        let document = readSource(text);
        for (const { at, length, insert } of typing) {
          const from = Math.floor(at * text.length);
          text = text.slice(0, from) + insert + text.slice(from + length);
          const next = readSource(text, undefined, document);
          const anew = readSource(text);
          // The previous text may determine the owner.
          const known = next.unreadableRanges.map((part, index) => ({
            ...part,
            owner: anew.unreadableRanges[index]?.owner,
          }));
          expect(known).toEqual(anew.unreadableRanges);
          if (anew.unreadableRanges.length === 0 && !anew.broken) expect(tellOf(next)).toEqual(tellOf(anew));
          document = next;
        }
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });

  it("property: is cut after every change as it is cut anew", () => {
    const anyText = fc.constantFrom(
      source,
      source.replaceAll("\n", "\r\n"),
      "agents:\n  a:\n  b:\nswarm:\n  flow: a\n",
    );
    const cutsOf = ({ cache }: SourceStructure) =>
      cache?.chunks.map(({ source: chunk, parsed }) => ({ ...chunk, parsedText: parsed.text }));
    fc.assert(
      fc.property(anyText, fc.array(anyTyping, { maxLength: 3 }), (start, typing) => {
        let text = start;
        let structure = readStructure(text);
        for (const { at, length, insert } of typing.flat()) {
          const from = Math.floor(at * text.length);
          text = text.slice(0, from) + insert + text.slice(from + length);
          structure = readStructure(text, structure.cache);
          expect(cutsOf(structure)).toEqual(cutsOf(readStructure(text)));
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ["braces", "{ agents: { a: { model: x } }, swarm: { flow: a } }", ["a"]],
    ["braces over lines", "agents: {\n  a: { model: x },\n  b: {}\n}\nswarm: { flow: a >> b }", ["a", "b"]],
    ["a list", "agents:\n- name: a\n- name: b\nswarm:\n  flow: a >> b", ["a", "b"]],
    ["an indented file", "  agents:\n    a: {}\n    b: {}\n", ["a", "b"]],
    ["a marked start", "--- # here\nagents:\n  a: {}\n  b: {}\n", ["a", "b"]],
    ["explicit keys", "agents:\n  ? a\n  : model: x\n  b: {}\n", ["a", "b"]],
    ["aliases", "agents:\n  a: &one { model: x }\n  b: *one\n", ["a", "b"]],
    ["a mapping on its own line", "agents:\n  { a: {}, b: {} }\n", ["a", "b"]],
    ["windows line ends", "agents:\r\n  a:\r\n    model: x\r\n\r\n  b: {}\r\n", ["a", "b"]],
    ["quoted keys", `agents:\n  "a: b": {}\n  'it''s': {}\n  "q\\"": {}\n`, ["a: b", "it's", 'q"']],
    ["a text over lines", 'agents:\n  a: { instructions: "one\n\n      two: 2" }\n  b: {}\n', ["a", "b"]],
  ])("can be written with %s", (_, text, names) => {
    const { flow, unreadableRanges: brokenParts, broken } = readSource(text);
    expect([[...flow.agents.keys()], brokenParts, broken]).toEqual([names, [], false]);
  });

  const many = 200_000;
  it.each([
    ["brackets without end", "[".repeat(many)],
    ["brackets", "[".repeat(many) + "]".repeat(many)],
    ["braces in an agent", `agents:\n  a: ${"{ b: ".repeat(many)}\n`],
    ["lists in lists", `agents:\n  a:\n    ${"- ".repeat(many)}x\n`],
    ["keys in keys", `agents:\n${Array.from({ length: 1000 }, (_, depth) => `${" ".repeat(depth + 2)}a:`).join("\n")}`],
    ["explicit keys", "? ".repeat(many)],
  ])("refuses %s that nest too deep, and names the place", (_, text) => {
    const problem = readSource(text).problems.find(({ code }) => code === "yaml-syntax");
    expect(problem?.message).toMatch(/more than 500 others here/);
    expect(problem?.range?.from).toBeGreaterThan(400);
  });

  it("keeps apart what has one name in two sections of a file that is read as a whole", () => {
    const { flow } = readSource(`${directive}agents: { a: { model: x } }\ngroups: { a: { type: serial, flow: b } }\n`);
    expect([flow.agents.get("a")?.model, flow.groups.get("a")?.mode]).toEqual(["x", "serial"]);
  });

  it("reads only the declarations that changed", () => {
    const before = readSource(source);
    const after = readSource(source.replace("Look.", "Look well."), undefined, before);
    expect(after.flow.agents.get("plan")).toBe(before.flow.agents.get("plan"));
    expect(after.flow.agents.get("ann")?.instructions).toBe("Look well.\n\nTell.\n");
  });
});

describe("a mistake of form", () => {
  const good = readSource(source);
  it.each([
    ["an open bracket", '{ model: "demo:x" } # first', "{ model: [ } # first", "plan"],
    ["an open quote", 'model: "demo:x"\n', 'model: "demo:x\n', "ann"],
    ["a colon that went", "  ann:\n", "  ann\n", "ann"],
    ["a stray line", "  write:", "  wri\n  write:", undefined],
    ["a line too far left", "  write:", " stray: 1\n  write:", undefined],
    ["a character at the start of a line", "  write:", "x\n  write:", undefined],
    ["a character before an entry", "    model:", "x    model:", "ann"],
    ["a mistake in the first name", "  plan:", "  'plan'q:", undefined],
    ["a bracket before the first entry", "  plan:", "  [ plan:", undefined],
    ["a name too far in", "  write: {", "  write: { x: [}, {", "write"],
  ])("%s leaves the picture whole and is marked alone", (_, from, to, owner) => {
    const text = source.replace(from, to);
    const { flow, unreadableRanges: brokenParts, broken, problems } = readSource(text, undefined, good);
    expect(broken).toBe(false);
    expect(brokenParts).toHaveLength(1);
    expect(brokenParts[0]?.owner).toBe(owner);
    expect(problems.filter(({ code }) => code === "yaml-syntax").length).toBeGreaterThan(0);
    for (const [name, agent] of good.flow.agents) expect(flow.agents.get(name)).toEqual(agent);
    expect(plain(flow)).toMatchObject({ groups: [{ name: "review" }], swarm: { mode: "workflow" } });
  });

  it("is marked inside the declaration that holds it", () => {
    const { problems, text } = readSource(source.replace('{ model: "demo:x" }\n', "{ model: [\n"));
    const marked = problems.find(({ code }) => code === "yaml-syntax")?.range ?? { from: 0, to: 0 };
    expect(text.slice(marked.from, marked.to)).not.toBe("");
    expect(text.slice(0, marked.to).split("\n").length).toBe(
      text.split("\n").findIndex((line) => line.includes("[")) + 1,
    );
  });

  it.each([
    ["agents:", "agents"],
    ["swarm:", "swarm"],
    ["vars: {", "vars: [{"],
    ["agents:", "agents: ["],
    ["type: workflow", "type: [workflow"],
  ])("in a section keeps the previous declaration: %s becomes %s", (from, to) => {
    const { flow, broken } = readSource(source.replace(from, to), undefined, good);
    expect(broken).toBe(false);
    expect(plain(flow)).toEqual(plain(good.flow));
  });

  it("in a text of members keeps the members", () => {
    const text = source.replace("review >> write", "review >> (write").replace("ann | plan", "ann | (");
    const { flow, unreadableRanges: brokenParts } = readSource(text, undefined, good);
    expect(brokenParts.map(({ owner, type }) => [owner, type])).toEqual([
      ["review", "members"],
      [null, "members"],
    ]);
    expect(plain(flow)).toEqual(plain(good.flow));
  });

  it.each([
    ["the next declaration has an unreadable name", '  "\\"new\\"":\n    type: [\n', ""],
    ["its own last lines cannot be read", "  stray\n", "    separator: x\n"],
  ])("in a text of members is still found when %s", (_, mistake, lastLine) => {
    const review = '  review:\n    type: parallel\n    flow: "ann | ("\n';
    const valid = source.replace(/ {2}review:.*\n/, `${review}${lastLine}`);
    const before = readSource(valid, undefined, good);
    const text = valid.replace(review, `${review}${mistake}`);
    const { unreadableRanges } = readSource(text, undefined, before);
    expect(unreadableRanges.map(({ type, range }) => [type, text.slice(range.from, range.to)])).toEqual([
      ["members", '"ann | ("'],
      ["form", `${mistake}${lastLine}`.trim()],
    ]);
    expect(unreadableRanges.map(({ range }) => range)).toEqual(
      readSource(text).unreadableRanges.map(({ range }) => range),
    );
  });

  const broken = readSource(source.replace('model: "demo:x"\n', "model: [\n"), undefined, good);
  const attempt = (edit: Parameters<typeof applyEdit>[2]): string => {
    const result = applyEdit(broken, emptyLayout, edit);
    return result.ok ? applyChanges(broken.text, result.changes) : result.problem.message;
  };

  it("leaves everything else to be changed", () => {
    expect(attempt({ type: "set-agent-field", name: "write", field: "max_steps", value: 3 })).toContain(
      'write: { model: "demo:x", max_steps: 3 }',
    );
    expect(attempt({ type: "rename", from: "write", to: "author" })).toContain("flow: review >> author");
    expect(attempt({ type: "connect", scope: { type: "root" }, from: "write", to: "ann" })).toContain("write >> ann");
    expect(attempt({ type: "add-agent", name: "new", scope: { type: "root" }, after: "write" })).toMatch(
      /write: .*\n {2}new: \{\}\n[\s\S]*write >> new/,
    );
  });

  it("protects its contents from changes, and gives the reason", () => {
    expect(attempt({ type: "set-agent-field", name: "ann", field: "max_steps", value: 3 })).toBe(
      '"ann" cannot be changed here: its text in line 6 has a mistake of form. Mend the text first; see the problems.',
    );
    expect(attempt({ type: "rename", from: "ann", to: "bob" })).toContain("cannot be changed");
    expect(attempt({ type: "delete-nodes", scope: { type: "root" }, names: ["ann"], declarations: true })).toContain(
      "cannot be changed",
    );
  });

  it("property: garbage inside one declaration leaves the others to be read and changed, and nothing is lost", () => {
    const anyGarbage = fc.constantFrom(
      "[",
      "{ a: ",
      '"',
      "'",
      "@",
      "\n  x",
      "\n garbage",
      "\n    - [",
      ": :",
      "\n\tq",
      "*none",
      "`",
    );
    fc.assert(
      fc.property(anyFlow, anyGarbage, fc.nat(99), fc.nat(99), fc.nat(99), (start, garbage, where, what, other) => {
        const text = writeSource(start);
        const before = readSource(text);
        const names = [...before.flow.agents.keys()];
        const name = names[what % names.length] ?? "";
        const range = before.rangeOf(name) ?? { from: 0, to: 0 };
        const at = range.from + 1 + (where % (range.to - range.from));
        const wrong = text.slice(0, at) + garbage + text.slice(at);
        const document = readSource(wrong, undefined, before);
        if (document.broken) return;
        const untouched = names.filter((one) => one !== name);
        for (const one of untouched) expect(document.flow.agents.get(one)).toEqual(before.flow.agents.get(one));
        expect(declaredNames(document.flow)).toEqual(
          expect.arrayContaining(declaredNames(before.flow).filter((one) => one !== name)),
        );
        if (before.flow.swarm.flow && document.flow.swarm.flow)
          expect(namesOf(document.flow.swarm.flow).length).toBe(namesOf(before.flow.swarm.flow).length);
        const field = untouched[other % untouched.length] ?? "";
        const result = applyEdit(document, emptyLayout, {
          type: "set-agent-field",
          name: field,
          field: "max_steps",
          value: 7,
        });
        if (!result.ok) throw new Error(result.problem.message);
        const after = readSource(applyChanges(wrong, result.changes), undefined, document);
        expect(after.flow.agents.get(field)?.max_steps).toBe(7);
        for (const part of document.unreadableRanges)
          expect(after.text).toContain(wrong.slice(part.range.from, part.range.to));
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });
});
