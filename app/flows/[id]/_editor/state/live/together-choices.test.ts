import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { errorsOf } from "@/lib/core/flow/problem";
import { openTogether, seededRandom } from "../testing/open-together";

const source = `name: Shared
agents:
  a:
    model: "demo:writer"
    max_steps: 5
  b: { model: "demo:writer", temperature: 0.5 }
branches:
  c:
    condition: contains(input, "x")
    if_true: a
    if_false: b
swarm:
  type: workflow
  flow: c
`;

const agent = (
  name: string,
  field: "max_steps" | "temperature" | "model",
  value: string | number | undefined,
): Edit => ({
  type: "set-agent-field",
  name,
  field,
  value,
});
const limit = (value: number): Edit => ({ type: "set-limit", field: "max_seconds", value });

/** Fields that two people set at once: each with the values that they choose from. */
const choices: readonly (readonly Edit[])[] = [
  [3, 12, 34, 5].map((value) => agent("a", "max_steps", value)),
  [0.1, 0.25, 1].map((value) => agent("b", "temperature", value)),
  [0.1, 0.25, 1].map((value) => agent("a", "temperature", value)),
  ["demo:critic", "demo:planner"].map((value) => agent("a", "model", value)),
  ["demo:critic", "demo:planner"].map((value) => agent("b", "model", value)),
  [20, 30, 45].map(limit),
];

/** Games in which the space before a value was written with an earlier value of one of them. */
const knownGames = [[8_085_312], [5_289_905]] satisfies [number][];

function play(
  seed: number,
  { isOffline, count }: { isOffline: boolean; count: number },
): ReturnType<typeof openTogether> {
  const random = seededRandom(seed);
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const clients = seed % 2 === 0 ? [1001, 1002, 1003] : [1002, 1001, 1000];
  const together = openTogether(source, count, { clients });
  if (isOffline) for (const member of together.members) together.lose(member);
  for (let step = 0; step < 12; step++) {
    const member = pick(together.members);
    if (!member) continue;
    if (random() < 0.5) together.deliver(member, random() < 0.5 ? "toServer" : "fromServer");
    const edit = pick(pick(choices) ?? []);
    if (edit) member.session.editor.dispatch([edit]);
  }
  for (const member of together.members) together.connect(member);
  together.settle();
  return together;
}

describe.each([
  ["at the same time", { isOffline: false, count: 2 }],
  ["without a connection, and return", { isOffline: true, count: 2 }],
  ["at the same time, three of them", { isOffline: false, count: 3 }],
])("people who choose values %s", (_, game) => {
  it("property: have the same valid file", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const together = play(seed, game);
        const [text = "", ...others] = together.texts();
        for (const other of others) expect(other).toBe(text);
        for (const { session } of together.members) {
          const { document, problems } = session.editor.store.getState();
          expect(document.broken).toBe(false);
          expect(document.unreadableRanges).toEqual([]);
          expect(errorsOf(problems).filter(({ code }) => code !== "unknown-provider")).toEqual([]);
        }
        const { flow } = together.members[0]?.session.editor.store.getState() ?? {};
        expect([3, 5, 12, 34]).toContain(flow?.agents.get("a")?.max_steps);
        expect([0.1, 0.25, 0.5, 1]).toContain(flow?.agents.get("b")?.temperature);
        expect(["demo:writer", "demo:critic", "demo:planner"]).toContain(flow?.agents.get("b")?.model);
        expect([undefined, 20, 30, 45]).toContain(flow?.limits.max_seconds);
      }),
      { numRuns: 25, examples: knownGames },
    );
  });
});

it("a value that was not kept is told to the person who chose it", () => {
  const together = openTogether(source, 2);
  const told = together.members.map(({ session }) => vi.spyOn(session.notify, "info"));
  together.members.forEach(({ session }, index) => {
    session.editor.dispatch([agent("a", "max_steps", index === 0 ? 12 : 34)]);
  });

  together.settle();
  const kept = together.members[0]?.session.editor.store.getState().flow.agents.get("a")?.max_steps;
  const loser = kept === 12 ? 1 : 0;
  expect(told[loser]?.mock.calls).toEqual([
    [`Someone else set max steps to ${kept} at the same time. Your ${kept === 12 ? 34 : 12} was not kept.`],
  ]);
  expect(told[1 - loser]).not.toHaveBeenCalled();
});

const both = ["demo:critic", "demo:planner"] as const;

it("a text that makes room for another field is taken out", () => {
  const loops = `loops:\n  refine: { body: a, while: 'contains(input, "x")', limit: 5 }\n`;
  const together = openTogether(source.replace("swarm:", `${loops}swarm:`).replace("flow: c", "flow: c >> refine"), 2);
  const set = (field: string, value?: number): Edit => ({
    type: "set-control-field",
    name: "refine",
    path: [field],
    ...(value !== undefined && { value }),
  });
  expect(together.members[0]?.session.editor.dispatch([set("while"), set("count", 3)])).toBeNull();
  together.settle();
  for (const text of together.texts()) expect(text).toContain("refine: { body: a, limit: 5, count: 3 }");
});

/** How often a loop repeats: one of three fields. */
const repetitions = { count: 3, while: 'not contains(input, "done")', for_each: "json(input)" } as const;
type Repetition = keyof typeof repetitions;
const repetitionNames = ["count", "while", "for_each"] as const;

const loopWith = (line: string): string =>
  source.replace("swarm:", `loops:\n${line}\nswarm:`).replace("flow: c", "flow: c >> refine");

const repeat = (from: Repetition, next: Repetition): Edit[] => [
  { type: "set-control-field", name: "refine", path: [from], value: undefined },
  { type: "set-control-field", name: "refine", path: [next], value: repetitions[next] },
];

const changes = repetitionNames.flatMap((from) =>
  repetitionNames.flatMap((one) =>
    repetitionNames.flatMap((two) =>
      one === from || two === from ? [] : [false, true].map((isOffline) => ({ from, one, two, isOffline })),
    ),
  ),
);

describe.each<[form: string, write: (field: string) => string]>([
  ["last in braces", (field) => `  refine: { body: a, limit: 5, ${field} }`],
  ["in braces", (field) => `  refine: { body: a, ${field}, limit: 5 }`],
  ["first in braces", (field) => `  refine: { ${field}, body: a, limit: 5 }`],
  ["last in a block", (field) => `  refine:\n    body: a\n    limit: 5\n    ${field}`],
  ["in a block", (field) => `  refine:\n    body: a\n    ${field} # as often\n    limit: 5`],
])("how often a loop repeats, %s, is chosen by two people", (_, write) => {
  it.each(changes)("from $from to $one and $two (offline: $isOffline)", ({ from, one, two, isOffline }) => {
    const before = write(`${from}: ${JSON.stringify(repetitions[from])}`);
    const together = openTogether(loopWith(before), 2, { clients: isOffline ? [1001, 1002] : [1002, 1001] });
    if (isOffline) for (const member of together.members) together.lose(member);
    const [ann, bob] = together.members.map(({ session }) => session.editor);
    ann?.dispatch(repeat(from, one));
    bob?.dispatch(repeat(from, two));
    for (const member of together.members) together.connect(member);
    together.settle();
    expectOne([one, two]);
    ann?.undo();
    bob?.undo();
    together.settle();
    expectOne([...repetitionNames]);

    function expectOne(expected: readonly string[]): void {
      expect(new Set(together.texts()).size).toBe(1);
      const { document, flow, text } = together.members[0]?.session.editor.store.getState() ?? {};
      expect(document?.unreadableRanges, text).toEqual([]);
      expect(errorsOf(document?.problems ?? []).filter(({ code }) => code !== "unknown-provider")).toEqual([]);
      const loop = flow?.controls.get("refine");
      expect(Object.keys(loop ?? {}).filter((field) => expected.includes(field))).toHaveLength(1);
      expect(loop).toMatchObject({ limit: 5 });
    }
  });
});

it("a choice of a field that was not kept is told to the person who made it", () => {
  const together = openTogether(loopWith("  refine: { body: a, count: 5 }"), 2, { clients: [1001, 1002] });
  const told = together.members.map(({ session }) => vi.spyOn(session.notify, "info"));
  together.members[0]?.session.editor.dispatch(repeat("count", "for_each"));
  together.members[1]?.session.editor.dispatch(repeat("count", "while"));
  together.settle();
  const words = "Someone else set refine to for_each: 'json(input)' at the same time. Your while: ";
  expect(told[1]?.mock.calls[0]?.[0]).toContain(words);
  expect(told[0]).not.toHaveBeenCalled();
});

it("a value stays where three people replace those of each other in a circle", () => {
  const together = openTogether(source, 3, { clients: [1001, 1002, 1003] });
  const [ann, bob, eve] = together.members;
  if (!ann || !bob || !eve) throw new Error("Three members are expected.");
  const set = ({ session }: typeof ann, value: number) => session.editor.dispatch([agent("a", "max_steps", value)]);
  const send = (from: typeof ann) => together.deliver(from, "toServer");
  const receive = (to: typeof ann) => together.deliver(to, "fromServer");
  set(ann, 7);
  send(ann);
  receive(eve);
  set(eve, 9);
  set(bob, 8);
  // Bob gives way to Ann, whom Eve has replaced; Eve gives way to Bob.
  send(bob);
  receive(bob);
  while (receive(eve)) {}
  together.settle();
  expect(new Set(together.texts()).size).toBe(1);
  expect(together.texts()[0]).toMatch(/max_steps: (8|9)\n/);
});

it("one model stays for an agent that one of them added, and nothing else of it goes", () => {
  // The ids of the documents, which decide, are random.
  for (let round = 0; round < 6; round++) {
    const together = openTogether(source, 2);
    const [adder, other] = together.members.map(({ session }) => session.editor);
    const added: Edit = { type: "add-agent", name: "w", scope: { type: "root" }, model: "demo:writer" };
    adder?.dispatch([{ ...added, instructions: "Be brief." }]);
    together.settle();
    adder?.dispatch([agent("w", "model", both[0])]);
    other?.dispatch([agent("w", "model", both[1])]);
    together.settle();
    const { flow, document } = together.members[0]?.session.editor.store.getState() ?? {};
    expect(document?.unreadableRanges).toEqual([]);
    expect(both).toContain(flow?.agents.get("w")?.model);
    expect(flow?.agents.get("w")?.instructions).toContain("Be brief.");
  }
});

it.each<[name: string, before: string, set: (value: number) => Edit, line: RegExp]>([
  ["a variable", "vars:\n  retries: 3\n", (value) => ({ type: "set-var", name: "retries", value }), /retries: [57]\n/],
  [
    "a second model",
    "",
    (value) => ({ type: "set-agent-field", name: "d", field: "fallback_model", value: `demo:${value}` }),
    /fallback_model: "?demo:[57]"?\n/,
  ],
  [
    "a limit of a swarm",
    "swarms:\n  team: { type: parallel, max_concurrent: 2, agents: [a, b] }\n",
    (value) => ({
      type: "set-swarm-field",
      scope: { type: "swarm", name: "team" },
      field: "max_concurrent",
      value,
    }),
    /max_concurrent: [57],/,
  ],
])("one value stays of %s that both set", (_, before, set, line) => {
  const agents = `agents:\n  d:\n    model: "demo:writer"\n    fallback_model: "demo:one"\n`;
  const together = openTogether(source.replace("agents:\n", before + agents), 2);
  together.members.forEach(({ session }, index) => {
    session.editor.dispatch([set(index === 0 ? 5 : 7)]);
  });
  together.settle();
  const { text, document } = together.members[0]?.session.editor.store.getState() ?? {};
  expect(document?.unreadableRanges).toEqual([]);
  expect(text).toMatch(line);
});
