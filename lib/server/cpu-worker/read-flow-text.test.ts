import { describe, expect, test, vi } from "vitest";
import type { Offer } from "@/lib/core/check/offer";
import { unpackReading } from "@/lib/core/source/read/unpack-reading";
import { readSource } from "@/lib/core/source/read-source";
import { packFlowText, readFlowOutline, readFlowText, renameFlowText } from "./read-flow-text";
import * as threads from "./run-task";
import { tasks } from "./tasks";

const toAgents = (count: number): string =>
  Array.from({ length: count }, (_, nth) => `  a${nth}: { model: "openai:gpt-${nth % 7}", tools: [t${nth}] }`).join(
    "\n",
  );
const toSource = (count: number): string =>
  `name: Large\nlimits: { max_cost: 1 }\nagents:\n${toAgents(count)}\nswarm: { type: workflow, flow: a0 >> nothing }\n`;
const turn = { teamId: "a" };
const offer: Offer = {
  tools: ["calculator"],
  checkPattern: () => null,
  isPriced: (model) => (model === "openai:gpt-3" ? false : null),
};

describe.each([
  ["a short text, which is read at once", 20],
  ["a long text, which is read in another thread", 1_000],
])("%s", (_, count) => {
  const source = toSource(count);
  const expected = readSource(source, offer);

  test("has the flow and the problems that reading it has, prices included", async () => {
    const { flow, problems } = await readFlowText(source, offer, turn);
    expect(flow).toEqual(expected.flow);
    expect(problems).toEqual(expected.problems);
    expect(problems.filter(({ code }) => code === "unpriced-model").length).toBeGreaterThan(1);
    const { flow: packedFlow, packed } = await packFlowText(source, offer, turn);
    expect(packedFlow).toEqual(expected.flow);
    expect(unpackReading(source, packed).flow).toEqual(expected.flow);
  });

  test("has an outline and another name", async () => {
    const { outline, problems } = await readFlowOutline(source, offer, turn);
    expect(outline).toMatchObject({ name: "Large", agents: count });
    expect(problems).toEqual(expected.problems);
    expect(readSource((await renameFlowText(source, "Other", turn)) ?? "").flow.name).toBe("Other");
  });
});

test("a long text is read in another thread only, and once for all who want it; a short one in this thread", async () => {
  const names = Array.from({ length: 40_000 }, (_, nth) => `unknown_${nth}`).join(", ");
  const source = `agents:\n  a: { model: "demo:a" }\ngroups:\n  g: { agents: [${names}] }\nswarm: { flow: a >> g }\n`;
  expect(source.length).toBeGreaterThan(500_000);
  const here = [vi.spyOn(tasks, "read-flow"), vi.spyOn(tasks, "rename-flow")];
  const elsewhere = vi.spyOn(threads, "runTask");
  const [{ problems }, first, second] = await Promise.all([
    readFlowOutline(source, offer, turn),
    ...Array.from({ length: 20 }, () => readFlowText(source, offer, turn)),
  ]);
  await packFlowText(source, offer, turn);
  await renameFlowText(source, "Other", turn);
  expect(here.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  expect(elsewhere.mock.calls.map(([name]) => name)).toEqual(["read-flow", "read-flow", "read-flow", "rename-flow"]);
  expect(problems.filter(({ code }) => code === "unknown-name")).toHaveLength(200);
  expect(second?.problems).toBe(first?.problems);
  await readFlowText('agents:\n  short: { model: "demo:a" }\nswarm: { flow: short }\n', offer, turn);
  expect(here[0]?.mock.calls.length).toBeGreaterThan(0);
  vi.restoreAllMocks();
});

test.each<[string, (nth: number) => string]>([
  ["patterns", (nth) => ` b${nth}: {condition: 'matches(input,"a{1000}${nth}")', if_true: a}\n`],
  ["mistakes", () => "x: ]\n"],
  ["anchors", (nth) => `a${nth}: &a${nth} *a${nth}\n`],
])("a text of 4,000 characters full of %s is read in another thread only", async (_, toLine) => {
  const here = vi.spyOn(tasks, "read-flow");
  const lines = Array.from({ length: 4_000 }, (_, nth) => toLine(nth))
    .join("")
    .slice(0, 3_900);
  const source = `agents:\n  a: { model: "demo:a" }\nbranches:\n${lines}`;
  await readFlowText(source, offer, turn);
  expect(here).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

test("a text with more than a few patterns is read in another thread, however short it is", async () => {
  const here = vi.spyOn(tasks, "read-flow");
  const branch = (nth: number): string => ` b${nth}: {condition: 'matches(input,"a{1000}${nth}")', if_true: a}\n`;
  const source = `agents:\n  a: { model: "demo:a" }\nbranches:\n${Array.from({ length: 12 }, (_, nth) => branch(nth)).join("")}`;
  expect(source.length).toBeLessThan(1_000);
  await readFlowText(source, offer, turn);
  expect(here).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

const head = 'agents:\n  a: { model: "demo:a" }\n';
const branches = Array.from({ length: 20 }, (_, nth) => nth);
test.each<[string, string]>([
  [
    "an alias repeats its topology",
    `${head}groups:\n  g: { flow: &f "${"|".repeat(800)}" }\n${branches.map((nth) => `  h${nth}: {flow: *f}\n`).join("")}`,
  ],
  [
    "an alias repeats an entry of it",
    `${head}branches:\n  x: &c {if_true: a, condition: "matches(input,'a{999}')"}\n${branches.map((nth) => `  b${nth}: *c\n`).join("")}`,
  ],
  ...["m\\x61tches", "m\\u0061tches", "m\\U00000061tches", "mat\\\n   ches", "mat\\\r\n   ches"].map(
    (name): [string, string] => [
      `quotes escape the letters of its patterns, as in ${JSON.stringify(name)}`,
      `${head}branches:\n${branches.map((nth) => `  b${nth}: {if_true: a, condition: "${name}(input,'a{99}${nth}')"}\n`).join("")}`,
    ],
  ),
])("a short text is read in another thread where %s", async (_, source) => {
  const here = [vi.spyOn(tasks, "read-flow"), vi.spyOn(tasks, "rename-flow")];
  expect(source.length).toBeLessThan(2_000);
  await readFlowText(source, offer, turn);
  await renameFlowText(source, "Other", turn);
  expect(here.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  vi.restoreAllMocks();
});

test("a short text with Markdown, line breaks in quotes and an ampersand is read at once", async () => {
  const here = vi.spyOn(tasks, "read-flow");
  const source = `${head.replace("}", ', instructions: "Be **kind** & _short_.\\n* One line" }')}swarm: { flow: a }\n`;
  expect((await readFlowText(source, offer, turn)).problems).toEqual([]);
  expect(here).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});

test("a short text is read once for all who want it, whoever they are", async () => {
  const here = vi.spyOn(tasks, "read-flow");
  const source = `${toSource(3)}# once\n`;
  for (let count = 0; count < 20; count++) await readFlowText(source, {}, { teamId: "a", userId: `u${count}` });
  await readFlowText(source, {}, { teamId: "b" });
  expect(here).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});

test("many teams of one person delay no other person, and a long text no short one", async () => {
  globalThis.swarmloomThreads = undefined;
  const long = `${toSource(1)}# ${"x".repeat(2_100)}`;
  let ended = 0;
  const requests = Array.from({ length: 100 }, (_, nth) =>
    readFlowText(`${long} ${nth} of a person\n`, {}, { teamId: `t${nth}`, userId: "u" }).finally(() => ended++),
  );
  await readFlowText(`${long} of another\n`, {}, { teamId: "o", userId: "v" });
  expect(ended).toBeLessThan(10);
  await Promise.all(requests);
});

test("many long texts of one team delay no other team, and no run; requests are refused where too many wait", async () => {
  // Threads that an earlier test left without work would take some of the texts at once, and fewer would wait.
  globalThis.swarmloomThreads = undefined;
  const long = `${toSource(1)}# ${"x".repeat(21_000)}`;
  let ended = 0;
  const texts = Array.from({ length: 210 }, (_, nth) => `${long} ${nth}\n`);
  const requests = texts.map((text) => readFlowText(text, {}, turn).finally(() => ended++));
  const results = Promise.allSettled(requests);
  const ofRun = readFlowText(`${long} a run\n`, {}, { ...turn, isOfRun: true });
  await readFlowText(`${long} another team\n`, {}, { teamId: "b" });
  expect(ended).toBeLessThan(100);
  const refused = (await results).flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(refused).toHaveLength(10);
  for (const reason of refused) expect(reason).toMatchObject({ code: "rate_limited", retryAfter: expect.any(Number) });
  expect((await ofRun).flow.name).toBe("Large");
});
