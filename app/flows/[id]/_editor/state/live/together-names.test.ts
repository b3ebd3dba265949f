import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { errorsOf } from "@/lib/core/flow/problem";
import { openField, openTogether, seededRandom } from "../testing/open-together";

const source = `name: Shared
vars:
  tone: "mild"
agents:
  worker:
    model: "demo:writer"
    instructions: |-
      Be \${vars.tone}.
  second: { model: "demo:writer", instructions: "See \${outputs.worker}." }
groups:
  both: { flow: "worker | second" }
routers:
  desk:
    model: "demo:writer"
    lanes:
      yes: { when: "always", flow: second }
      no: { when: "never", flow: worker }
branches:
  check: { condition: 'contains(outputs.worker, "x")', if_true: worker }
swarm:
  type: workflow
  flow: worker >> both >> desk >> check
`;

const rename = (from: string, to: string): Edit => ({ type: "rename", from, to });

describe.each([
  ["at the same time", false],
  ["without a connection", true],
])("people who rename one thing %s", (_, isOffline) => {
  it.each<[what: string, names: readonly string[], toEdit: (name: string) => Edit, old: RegExp]>([
    ["an agent", ["alpha", "anna", "zoe"], (name) => rename("worker", name), /worker/],
    [
      "names that begin and end alike",
      ["worker2", "worker3", "coworker"],
      (name) => rename("worker", name),
      /\bworker\b/,
    ],
    ["names of two words", ["a b", "c d"], (name) => rename("worker", name), /worker/],
    ["a group", ["all", "pair"], (name) => rename("both", name), /both/],
    ["a router", ["front", "door"], (name) => rename("desk", name), /desk/],
    ["a variable", ["mood", "voice", "style"], (name) => ({ type: "rename-var", from: "tone", to: name }), /tone/],
    ["the flow", ["One", "Two", "Other"], (name) => ({ type: "set-flow-name", name }), /Shared/],
  ])("have one of the names everywhere: %s", (_what, names, toEdit, old) => {
    // The ids of the documents, which decide, are random.
    for (let round = 0; round < 4; round++) {
      const together = openTogether(source, names.length);
      const told = together.members.map(({ session }) => vi.spyOn(session.notify, "info"));
      if (isOffline) for (const member of together.members) together.lose(member);
      together.members.forEach(({ session }, index) => {
        expect(session.editor.dispatch([toEdit(names[index] ?? "")])).toBeNull();
      });
      for (const member of together.members) together.connect(member);
      together.settle();
      const [text = "", ...others] = together.texts();
      for (const other of others) expect(other).toBe(text);
      expect(text).not.toMatch(old);
      const { flow, document, problems } = together.members[0]?.session.editor.store.getState() ?? {};
      expect(document?.unreadableRanges).toEqual([]);
      expect(errorsOf(problems ?? []).filter(({ code }) => code !== "unknown-provider")).toEqual([]);
      const declared = [
        flow?.name,
        ...(flow?.vars.keys() ?? []),
        ...(document && "declarations" in document ? (flow?.agents.keys() ?? []) : []),
      ];
      const all = [...declared, ...(flow?.groups.keys() ?? []), ...(flow?.controls.keys() ?? [])];
      expect(names.filter((name) => all.includes(name))).toHaveLength(1);
      // Everyone but one is told once.
      expect(told.map(({ mock }) => mock.calls.length).toSorted()).toEqual(
        names.map((_name, index) => Math.min(index, 1)),
      );
    }
  });
});

it.each<[what: string, toEdit: (name: string) => Edit, find: (state: { text: string }) => RegExpExecArray | null]>([
  ["an agent", (name) => rename("worker", name), ({ text }) => /flow: (one|two|three) >> both/.exec(text)],
  [
    "a variable",
    (name) => ({ type: "rename-var", from: "tone", to: name }),
    ({ text }) => /Be \$\{vars\.(one|two|three)\}/.exec(text),
  ],
  ["the flow", (name) => ({ type: "set-flow-name", name }), ({ text }) => /^name: (one|two|three)$/m.exec(text)],
])("a name stays where three people replace those of each other in a circle: %s", (_what, toEdit, find) => {
  for (const last of ["bob", "eve"]) {
    const together = openTogether(source, 3, { clients: [1001, 1002, 1003] });
    const [ann, bob, eve] = together.members;
    if (!ann || !bob || !eve) throw new Error("Three members are expected.");
    const send = (from: typeof ann) => together.deliver(from, "toServer");
    const receive = (to: typeof ann) => together.deliver(to, "fromServer");
    ann.session.editor.dispatch([toEdit("one")]);
    while (send(ann)) {}
    while (receive(eve)) {}
    const again = ["rename", "rename-var"].includes(toEdit("x").type);
    eve.session.editor.dispatch([again ? ({ ...toEdit("three"), from: "one" } as Edit) : toEdit("three")]);
    bob.session.editor.dispatch([toEdit("two")]);
    // Bob gives way to Ann, whom Eve has replaced; Eve gives way to Bob.
    while (send(bob)) {}
    while (receive(bob)) {}
    if (last === "eve") while (receive(eve)) {}
    together.settle();
    const [text = "", ...others] = together.texts();
    for (const other of others) expect(other).toBe(text);
    const { document, problems } = ann.session.editor.store.getState();
    expect(document.unreadableRanges).toEqual([]);
    expect(errorsOf(problems).filter(({ code }) => code !== "unknown-provider")).toEqual([]);
    expect(find({ text })?.[1]).toMatch(/two|three/);
  }
});

/** Renames and messages in an order that the seed decides. Each renames what is there, under the name that it has for them. */
function playRenames(seed: number, renames: number) {
  const random = seededRandom(seed);
  const clients = [1001, 1002, 1003].toSorted(() => random() - 0.5);
  const together = openTogether(source, 3, { clients });
  for (let done = 0; done < renames; ) {
    const member = together.members[Math.floor(random() * 3)];
    if (!member) continue;
    if (random() < 0.7) together.deliver(member, random() < 0.5 ? "toServer" : "fromServer");
    else {
      const name = [...member.session.editor.store.getState().flow.agents.keys()].find((one) => one !== "second") ?? "";
      member.session.editor.dispatch([rename(name, `name_${done++}`)]);
    }
  }
  together.settle();
  return together;
}

it("property: an agent that three people rename at once has one name, wherever it is used", {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 2, max: 3 }), (seed, renames) => {
      const together = playRenames(seed, renames);
      const [text = "", ...others] = together.texts();
      for (const other of others) expect(other).toBe(text);
      const { document, problems } = together.members[0]?.session.editor.store.getState() ?? {};
      expect(document?.unreadableRanges).toEqual([]);
      expect(errorsOf(problems ?? []).filter(({ code }) => code !== "unknown-provider")).toEqual([]);
      const name = /flow: (name_\d) >> both >> desk >> check/.exec(text)?.[1];
      expect(name).toBeDefined();
      expect(text.split(new RegExp(`\\b${name}\\b`)).length - 1).toBe(7);
      expect(text).not.toMatch(/worker/);
    }),
    { numRuns: 40, examples: [[25, 3]] },
  );
});

it.each([
  ["worker", "the draft of our most careful critics"],
  ["worker} well.", "desk} and then a long thought of Bob."],
  ["worker", "desk} plus a long thought, and ${outputs.desk"],
])("what someone writes over %j of a text stays, though it is renamed meanwhile: %s", (replaced, words) => {
  for (const clients of [
    [1001, 1002],
    [1002, 1001],
  ])
    for (const isOffline of [false, true]) {
      const { field, text } = writeOverReference({ clients, isOffline, replaced, words });
      for (const word of words.match(/[a-z]{4,}/g) ?? []) expect(field).toContain(word);
      expect(text).toContain("writer: { model");
    }
});

it("a name that someone writes into a text gives way to a rename, and who wrote it is told", () => {
  const { field, told } = writeOverReference({
    clients: [1001, 1002],
    isOffline: true,
    replaced: "worker",
    words: "report",
  });
  expect(field).toBe(`See \${outputs.writer} well.`);
  expect(told.map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
});

interface Overwriting {
  clients: number[];
  isOffline: boolean;
  replaced: string;
  words: string;
}

/** Ann renames an agent while Bob writes over its name in a text. */
function writeOverReference({ clients, isOffline, replaced, words }: Overwriting) {
  const agents = ["worker", "desk"].map((name) => `  ${name}: { model: "demo:writer" }\n`).join("");
  const second = `  second:\n    model: "demo:writer"\n    instructions: |-\n      See \${outputs.worker} well.\n`;
  const flow = `agents:\n${agents}${second}swarm: { flow: worker >> desk >> second }\n`;
  const together = openTogether(flow, 2, { clients });
  const [ann, bob] = together.members;
  if (!ann || !bob) throw new Error("Two members are expected.");
  const told = [ann, bob].map(({ session }) => vi.spyOn(session.notify, "info"));
  if (isOffline) together.lose(bob);
  const field = openField(bob.session, (value) => ({
    type: "set-agent-field",
    name: "second",
    field: "instructions",
    value,
  }));
  const start = field.text.indexOf(replaced);
  field.replace(start, start + replaced.length, words);
  ann.session.editor.dispatch([rename("worker", "writer")]);
  if (isOffline) together.connect(bob);
  together.settle();
  const [text = "", ...others] = together.texts();
  for (const other of others) expect(other).toBe(text);
  const { flow: merged } = ann.session.editor.store.getState();
  return { text, told, field: merged.agents.get("second")?.instructions ?? text };
}

const variables = `name: Shared
vars:
  tone: "mild"
  mood: "kind"
agents:
  a: { model: "demo:writer", instructions: "A \${vars.tone}" }
  b: { model: "demo:writer", instructions: "B \${vars.mood}" }
swarm: { flow: a >> b }
`;

type Renaming = readonly [person: number, from: string, to: string];

it.each<[what: string, clients: readonly number[], renames: readonly Renaming[]]>([
  [
    "one gets two names, one of them another's",
    [1001, 1003, 1002],
    [
      [0, "tone", "voice"],
      [1, "mood", "voice"],
      [2, "mood", "v5"],
    ],
  ],
  [
    "two get one name",
    [1001, 1002],
    [
      [0, "tone", "same"],
      [1, "mood", "same"],
    ],
  ],
  [
    "one gets two names, and the one that stays is another's",
    [1003, 1001, 1002],
    [
      [0, "tone", "voice"],
      [1, "mood", "voice"],
      [2, "mood", "v5"],
    ],
  ],
  [
    "one gets two names, and the one that goes another number",
    [1001, 1003, 1002],
    [
      [0, "tone", "voice"],
      [1, "mood", "voice"],
      [2, "mood", "v5"],
    ],
  ],
  [
    "three give one the same name, and two of them go on",
    [1002, 1003, 1001],
    [
      [0, "mood", "style"],
      [1, "mood", "style"],
      [1, "tone", "same"],
      [2, "mood", "style"],
      [2, "style", "same"],
    ],
  ],
  [
    "one gets two names, one of them another's of the same person",
    [1001, 1002],
    [
      [0, "tone", "voice"],
      [1, "mood", "voice"],
      [0, "mood", "v5"],
    ],
  ],
])("variables that several people rename have one name each, wherever they are used: %s", (_, clients, renames) => {
  for (const isOffline of [false, true]) {
    const together = openTogether(variables, clients.length, { clients });
    if (isOffline) for (const member of together.members.slice(1)) together.lose(member);
    for (const [person, from, to] of renames)
      expect(together.members[person]?.session.editor.dispatch([{ type: "rename-var", from, to }])).toBeNull();
    for (const member of together.members) together.connect(member);
    together.settle();
    const [text = "", ...others] = together.texts();
    for (const other of others) expect(other).toBe(text);
    const { problems } = together.members[0]?.session.editor.store.getState() ?? {};
    expect(errorsOf(problems ?? []).filter(({ code }) => code !== "unknown-provider")).toEqual([]);
    const [, tone, mood] = /^ {2}(\w+): "mild"\n {2}(\w+): "kind"$/m.exec(text) ?? [];
    expect(tone).not.toBe(mood);
    for (const name of [tone, mood]) expect(name).toMatch(/^(?:v5|(?:voice|style|same)(?:_\d\d)?)$/);
    expect(text).toContain(`"A \${vars.${tone}}"`);
    expect(text).toContain(`"B \${vars.${mood}}"`);
  }
});
