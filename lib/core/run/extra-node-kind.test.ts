import { beforeAll, describe, expect, it } from "vitest";
import { checkFlow } from "../check/check-flow";
import { emptyLayout } from "../flow/edit";
import { applyChanges } from "../flow/text-change";
import { kindOfSection, registerNodeKind } from "../kinds/registry";
import { searchAreas } from "../kinds/search-field";
import { delayKind } from "../kinds/testing/delay";
import { arrangeFlow } from "../layout/arrange-flow";
import { applyEdit } from "../source/apply-edit";
import { searchFlow, toFinder } from "../source/query/search-flow";
import { readSource } from "../source/read-source";
import { writeSource } from "../source/write-source";
import { registerMode } from "./modes/registry";
import { registerCompiler } from "./plan/compiler-registry";
import { delayCompiler, delayMode } from "./testing/delay-mode";
import { runScripted } from "./testing/scripted-run";

const source = `name: Slow
agents:
  a: { model: "scripted:m" }
  b: { model: "scripted:m" }
delays:
  pause: { seconds: 30 }
swarm:
  type: workflow
  flow: a >> pause >> b
`;

beforeAll(() => {
  registerNodeKind(delayKind);
  registerCompiler("delay", delayCompiler);
  registerMode("delay", delayMode);
});

describe("a node kind of one core file and one run file", () => {
  it("is read from its section and written back", () => {
    const { flow, problems } = readSource(source);
    expect(problems).toEqual([]);
    expect(kindOfSection("delays")).toBe(delayKind);
    expect(flow.controls.get("pause")).toEqual({ type: "delay", name: "pause", seconds: 30 });
    expect(writeSource(flow)).toContain("delays:\n  pause:\n    seconds: 30\n");
    expect(readSource(writeSource(flow)).flow).toEqual(flow);
  });

  it("reports a wrong value and unknown fields, at their range", () => {
    const text = source.replace("{ seconds: 30 }", "{ seconds: soon, minutes: 1 }");
    const { problems, flow } = readSource(text);
    expect(problems.map(({ code, range }) => [code, range && text.slice(range.from, range.to)])).toEqual([
      ["invalid-value", "soon"],
      ["unknown-key", "minutes"],
    ]);
    expect(flow.controls.get("pause")).toMatchObject({ seconds: 1 });
  });

  it("is checked", () => {
    const { flow } = readSource(source.replace("30", "90"));
    expect(checkFlow(flow)).toMatchObject([{ code: "invalid-value", owner: "pause", field: "seconds" }]);
  });

  it("is searched", () => {
    const finder = toFinder({ text: "30", matchCase: false, pattern: false });
    if (!finder?.ok) throw new Error("no finder");
    const hits = searchFlow(readSource(source).flow, finder.find, new Set(searchAreas));
    expect(hits).toMatchObject([{ owner: "pause", type: "delay", label: "Seconds", path: ["seconds"] }]);
  });

  it("is drawn as a card", () => {
    const { nodes } = arrangeFlow(readSource(source).flow, emptyLayout);
    expect(nodes.find(({ name }) => name === "pause")).toMatchObject({ type: "delay", frame: false, placed: true });
  });

  it("is renamed, edited and added by edits of the text", () => {
    const edit = (text: string, change: Parameters<typeof applyEdit>[2]): string => {
      const result = applyEdit(readSource(text), emptyLayout, change);
      if (!result.ok) throw new Error(result.problem.message);
      return applyChanges(text, result.changes);
    };
    const renamed = edit(source, { type: "rename", from: "pause", to: "rest" });
    expect(renamed).toBe(source.replaceAll("pause", "rest"));
    const changed = edit(source, { type: "set-control-field", name: "pause", path: ["seconds"], value: 5 });
    expect(changed).toBe(source.replace("30", "5"));
    const added = edit(source, {
      type: "add-control",
      control: "delay",
      name: "nap",
      fields: { seconds: 2 },
      scope: { type: "root" },
      after: "b",
    });
    expect(readSource(added).flow.controls.get("nap")).toMatchObject({ type: "delay", seconds: 2 });
  });

  it("is compiled and run by the engine", async () => {
    const { last, clock, models } = await runScripted(readSource(source).flow, {
      script: { a: [{ text: "A" }], b: [{ text: "B" }] },
    });
    expect(last).toMatchObject({ status: "SUCCESS", output: { text: "B" } });
    expect(clock.now()).toBe(30_000);
    expect(models.requests).toHaveLength(2);
  });
});
