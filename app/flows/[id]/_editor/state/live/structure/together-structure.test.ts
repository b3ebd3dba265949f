import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import * as Y from "yjs";
import type { Edit } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import { declaredNames } from "@/lib/core/kinds/members";
import { membersOf } from "@/lib/core/kinds/registry";
import { listRivalVersions } from "@/lib/core/live/structure-versions";
import { toSettledUpdate } from "@/lib/core/settle/settle-structure";
import type { Session } from "../../session";
import { openTogether, seededRandom } from "../../testing/open-together";
import {
  addAgent,
  anyStructureEdit,
  bracesSource,
  countPlaces,
  linksSource,
  listMistakes,
  listsSource,
  lookUp,
  numbered,
  removeAgent,
  secondName,
  structureSource,
  threeAgents,
} from "../../testing/structure-edits";

type Together = ReturnType<typeof openTogether>;

/** A longer run: `STRUCTURE_CASES=1000 STRUCTURE_SEED=1`. */
const cases = Number(process.env.STRUCTURE_CASES ?? 60);
const seed = Number(process.env.STRUCTURE_SEED ?? 20_261_126);

/** All have the same file, and it can be read. */
function expectReadable({ texts, members }: Together): string {
  const [text = "", ...others] = texts();
  for (const one of others) expect(one).toBe(text);
  for (const { session } of members) {
    const { document, problems } = session.editor.store.getState();
    expect(document.broken, text).toBe(false);
    expect(document.unreadableRanges, text).toEqual([]);
    expect(listMistakes(problems), text).toEqual([]);
  }
  // Without it the flow would be all of the agents in a row.
  expect(text).toMatch(/^swarm:\n(?: .*\n)* {2}(?:flow|edges): /m);
  return text;
}

interface Game {
  people: number;
  isOffline: boolean;
  steps: number;
  /** Whether all hear of each other at the same time. */
  isInTurn?: boolean;
  /** Whether several people give the same names; by default two do. */
  hasSameNames?: boolean;
  source?: string;
}

interface Played {
  together: Together;
  /** The marks of the agents that were added, and whether they were in the flow when all met. */
  added: { mark: string; isMember: boolean }[];
}

const findMade = (flow: Flow, mark: string) =>
  [...flow.agents.values()].filter(({ instructions }) => instructions === `made ${mark}`);

/** What is in a group waits when someone else deletes the group. */
const isInFlow = (flow: Flow, mark: string): boolean =>
  findMade(flow, mark).some(({ name }) => membersOf(flow.swarm).includes(name));

function play(
  seed: number,
  { people, isOffline, steps, isInTurn = false, hasSameNames = people === 2, source = structureSource }: Game,
): Played {
  const random = seededRandom(seed);
  const clients = [101, 102, 103].toSorted(() => random() - 0.5);
  const together = openTogether(source, people, { clients });
  const made: { mark: string; session: Session }[] = [];
  if (isOffline) for (const member of together.members) if (random() < 0.6) together.lose(member);
  for (let step = 0; step < steps; step++) {
    const member = together.members[Math.floor(random() * people)];
    if (!member) continue;
    if (random() < 0.4) together.deliver(member, random() < 0.5 ? "toServer" : "fromServer");
    const { editor } = member.session;
    const mark = String(step);
    const edit = anyStructureEdit({ flow: editor.store.getState().flow, random, mark, hasSameNames });
    if (!edit || editor.dispatch([edit])) continue;
    if ("instructions" in edit || edit.type === "insert-fragment") made.push({ mark, session: member.session });
  }
  const added = made.map(({ mark, session }) => ({
    mark,
    isMember: isInFlow(session.editor.store.getState().flow, mark),
  }));
  for (const member of together.members) together.connect(member);
  together.settle({ isInTurn });
  return { together, added };
}

/** In these, people took everything of each other out of the text, left lines without their indentation, joined two lines, or took one agent for another. */
const lostOnce = [
  704_804, 886_941, 1_385_838, 2_446_984, 903_863_523, 2_147_483_626, 789_354_772, 775_898_373, 1_189, 2_028_487_798,
  1_154_325_508,
];

it.each<[string, Game]>([
  ["two people at the same time", { people: 2, isOffline: false, steps: 2 }],
  ["two people, one without a connection", { people: 2, isOffline: true, steps: 6 }],
  ["three people", { people: 3, isOffline: false, steps: 4 }],
  ["three people in turn", { people: 3, isOffline: false, steps: 4, isInTurn: true }],
  ["two people, in lists", { people: 2, isOffline: true, steps: 4, source: listsSource }],
  ["two people, in braces", { people: 2, isOffline: true, steps: 4, source: bracesSource }],
  ["two people, members and links", { people: 2, isOffline: true, steps: 4, source: linksSource }],
  ["three people who give the same names", { people: 3, isOffline: false, steps: 4, hasSameNames: true }],
  ["three people with one name, some offline", { people: 3, isOffline: true, steps: 6, hasSameNames: true }],
])("property: the file has what all of them did, and can be read: %s", { timeout: 300_000 }, (_, game) => {
  fc.assert(
    fc.property(fc.nat(), (number) => {
      const { together, added } = play(number, game);
      const text = expectReadable(together);
      const flow = together.members[0]?.session.editor.store.getState().flow;
      if (!flow) throw new Error("A member is expected.");
      expect(new Set(declaredNames(flow)).size, text).toBe(declaredNames(flow).length);
      for (const { mark, isMember } of added) {
        const made = findMade(flow, mark);
        expect(made, `${mark} in ${text}`).toHaveLength(1);
        const places = countPlaces(flow, made[0]?.name ?? "");
        if (isMember) expect(places, `${mark} in ${text}`).toBeGreaterThanOrEqual(1);
      }
    }),
    { numRuns: cases, seed, examples: lostOnce.map((number): [number] => [number]) },
  );
});

const wrap = (...names: string[]): Edit => ({ type: "wrap-parallel", scope: { type: "root" }, names });

const extract = (names: readonly string[]): Edit => ({
  type: "extract-group",
  scope: { type: "root" },
  names,
  name: "group",
  group: "parallel",
});

/** The first one has the document with the smaller id. */
function openTwo(isOffline: boolean) {
  const together = openTogether(threeAgents, 2, { clients: [1, 2] });
  const [first, second] = together.members;
  if (!first || !second) throw new Error("Two members are expected.");
  if (isOffline) together.lose(second);
  return {
    together,
    first: first.session,
    second: second.session,
    meet(): string {
      together.connect(second);
      together.settle();
      return expectReadable(together);
    },
  };
}

describe.each([
  ["at the same time", false],
  ["while the second one has no connection", true],
])("two people who change the flow %s", (_, isOffline) => {
  it.each<[string, Edit, Edit, flow: string]>([
    ["append two agents", addAgent("x"), addAgent("y"), "a >> b >> c >> y >> x"],
    ["insert two agents in one place", addAgent("x", "a"), addAgent("y", "a"), "a >> y >> x >> b >> c"],
    ["delete a step and insert after it", removeAgent("b"), addAgent("y", "b"), "a >> y >> c"],
    ["insert after a step and delete it", addAgent("x", "b"), removeAgent("b"), "a >> x >> c"],
    ["delete the same step", removeAgent("b"), removeAgent("b"), "a >> c"],
    ["arrange steps and append one", wrap("a", "b"), addAgent("y"), "(a | b) >> c >> y"],
    ["append a step and arrange others", addAgent("x"), wrap("a", "b"), "(a | b) >> c >> x"],
    ["arrange the same steps in the same way", wrap("a", "b"), wrap("a", "b"), "(a | b) >> c"],
  ])("have both: %s", (_what, one, other, flow) => {
    const { first, second, meet } = openTwo(isOffline);
    expect(first.editor.dispatch([one])).toBeNull();
    expect(second.editor.dispatch([other])).toBeNull();
    expect(meet()).toContain(`  flow: ${flow}\n`);
  });

  it.each<[string, string[], string[], flow: string]>([
    ["different steps", ["a", "b"], ["c"], "group >> group_2"],
    ["the same step and others", ["a", "b"], ["b", "c"], "group >> group_2"],
    ["the same steps", ["a", "b"], ["a", "b"], "group >> group_2 >> c"],
  ])("keep both groups of one name, with their members: %s", (_what, one, other, flow) => {
    const { together, first, second, meet } = openTwo(isOffline);
    expect(first.editor.dispatch([extract(one)])).toBeNull();
    expect(second.editor.dispatch([extract(other)])).toBeNull();
    const text = numbered(meet());
    expect(text).toContain(`  flow: ${flow}\n`);
    expect(text).toContain(`  group:\n    type: parallel\n    flow: ${one.join(" | ")}\n`);
    expect(text).toContain(`  group_2:\n    type: parallel\n    flow: ${other.join(" | ")}\n`);
    // Of the names that were given only the latest stay noted.
    together.server.getMap("names").clear();
    expect(listRivalVersions(together.server)).toEqual([]);
  });

  it("give the second new agent another name, which its selection follows", () => {
    const { first, second, meet } = openTwo(isOffline);
    const told = [first, second].map(({ notify }) => vi.spyOn(notify, "info"));
    first.editor.dispatch([addAgent("agent")]);
    second.editor.dispatch([addAgent("agent", "a")]);
    const text = meet();
    const name = secondName(text, "agent");
    expect(text).toContain(`  flow: a >> ${name} >> b >> c >> agent\n`);
    expect(first.editor.store.getState().selection).toEqual(["agent"]);
    expect(second.editor.store.getState().selection).toEqual([name]);
    expect(told[0]).not.toHaveBeenCalled();
    expect(told[1]?.mock.calls).toEqual([
      [`Someone else added "agent" at the same time. Yours is called "${name}" now.`],
    ]);
  });

  it("tell the second one that its arrangement of the same steps was not kept", () => {
    const { first, second, meet } = openTwo(isOffline);
    const told = vi.spyOn(second.notify, "info");
    first.editor.dispatch([wrap("a", "b")]);
    second.editor.dispatch([wrap("b", "c")]);
    expect(meet()).toContain("  flow: (a | b) >> c\n");
    expect(told.mock.calls).toEqual([[expect.stringMatching(/your arrangement was not kept/)]]);
  });

  it("undo only what they did themselves", () => {
    const { first, second, meet } = openTwo(isOffline);
    first.editor.dispatch([addAgent("x")]);
    second.editor.dispatch([addAgent("y", "a")]);
    expect(meet()).toContain("  flow: a >> y >> b >> c >> x\n");
    second.editor.undo();
    const text = meet();
    expect(text).toContain("  flow: a >> b >> c >> x\n");
    expect(text).not.toContain("  y:");
  });
});

it("texts follow an agent that gets another name twice", () => {
  const together = openTogether(threeAgents, 3, { clients: [1, 3, 2] });
  const [first, author, last] = together.members;
  if (!first || !author || !last) throw new Error("Three members are expected.");
  for (const member of [author, last]) together.lose(member);
  first.session.editor.dispatch([addAgent("n")]);
  author.session.editor.dispatch([addAgent("n")]);
  author.session.editor.dispatch([{ type: "set-agent-field", name: "a", field: "instructions", value: lookUp("n") }]);
  together.connect(author);
  together.settle();
  const name = secondName(together.texts()[0] ?? "", "n");
  expect(author.session.editor.store.getState().text).toContain(lookUp(name));
  last.session.editor.dispatch([addAgent(name)]);
  together.connect(last);
  together.settle();
  const text = expectReadable(together);
  expect(text).toMatch(/^ {2}n_\d\d:.*\n(?:.*\n)* {2}n_\d\d:/m);
  expect(text).not.toContain(lookUp(name));
  expect(text).toMatch(/\$\{outputs\.n_\d\d\}/);
});

it("takes over all of twenty changes that were made without a connection", () => {
  const { first, second, meet } = openTwo(true);
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
  for (const name of names) second.editor.dispatch([addAgent(name)]);
  first.editor.dispatch([addAgent("x", "a")]);
  expect(meet()).toContain(`  flow: a >> x >> b >> c >> ${names.join(" >> ")}\n`);
});

it("deletes an agent that someone else puts into a group, in a section that comes back", () => {
  const agents = ["a", "b", "c", "d", "e"].map((name) => `  ${name}: { model: "demo:writer" }\n`).join("");
  const source = `name: Shared
agents:
${agents}groups:
  pair: { flow: "a | b" }
swarm:
  type: workflow
  flow: pair >> c >> d >> e
`;
  const together = openTogether(source, 2, { clients: [2, 1] });
  const [first, second] = together.members.map(({ session }) => session.editor);
  if (!first || !second) throw new Error("Two members are expected.");
  const extract = (name: string, names: string[]): Edit => ({
    type: "extract-group",
    scope: { type: "root" },
    names,
    name,
    group: "parallel",
  });
  const inline: Edit = { type: "inline", scope: { type: "root" }, name: "pair" };
  for (const member of together.members) together.lose(member);
  for (const edit of [extract("own", ["e"]), removeAgent("d"), inline]) first.dispatch([edit]);
  for (const edit of [inline, extract("other", ["c", "d"])]) second.dispatch([edit]);
  for (const member of together.members) together.connect(member);
  together.settle();
  expect(expectReadable(together)).toMatch(/other:\n +type: parallel\n +flow: c\n/);
});

describe("what someone types into the text", () => {
  const type = ({ editor }: Session, from: number, to: number, insert: string): void => {
    const { text } = editor.store.getState();
    editor.typeText(text.slice(0, from) + insert + text.slice(to), [{ from, to, insert }]);
  };

  it("stays where it names an agent that was deleted before", () => {
    const together = openTogether(threeAgents, 2);
    const [author] = together.members;
    if (!author) throw new Error("A member is expected.");
    author.session.editor.dispatch([removeAgent("c")]);
    together.settle();
    for (const letter of " >> c") {
      const end = author.session.editor.store.getState().text.length - 1;
      type(author.session, end, end, letter);
      together.settle();
    }
    for (const text of together.texts()) expect(text).toContain("flow: a >> b >> c\n");
  });

  it("is another name than the one that someone else gives at the same time", () => {
    const together = openTogether(threeAgents, 2, { clients: [1, 2] });
    const [other, author] = together.members;
    if (!author || !other) throw new Error("Two members are expected.");
    together.lose(author);
    other.session.editor.dispatch([addAgent("n", "a")]);
    author.session.editor.dispatch([addAgent("n", "a")]);
    const end = author.session.editor.store.getState().text.indexOf("  n:") + 3;
    type(author.session, end, end, "x");
    together.connect(author);
    together.settle();
    for (const text of together.texts()) {
      expect(text.match(/^ {2}n\w*:/gm)?.toSorted()).toEqual(["  n:", "  nx:"]);
      expect(text).toContain("flow: a >> n >> b >> c\n");
    }
  });

  it.each([
    ["the one with the smaller document", 0],
    ["the other one", 1],
  ])("stays in members that someone else changes at the same time: typed by %s", (_, index) => {
    const together = openTogether(structureSource, 2, { clients: [1, 2] });
    const [author, other] = [together.members[index], together.members[1 - index]];
    if (!author || !other) throw new Error("Two members are expected.");
    together.lose(author);
    author.session.editor.dispatch([addAgent("x")]);
    const end = author.session.editor.store.getState().text.length - 1;
    type(author.session, end, end, " >> w");
    other.session.editor.dispatch([addAgent("y")]);
    together.connect(author);
    together.settle();
    for (const text of together.texts()) {
      const line = /^ {2}flow: (a >> b >> .*)$/m.exec(text)?.[1] ?? "";
      expect(line.split(" >> ")).toEqual(expect.arrayContaining(["team", "w", "x", "y"]));
    }
  });

  it.each([
    ["letter by letter, while someone else is there", true, false],
    ["letter by letter, alone, and then someone comes", true, true],
    ["at once, while someone else is there", false, false],
    ["at once, alone, and then someone comes", false, true],
  ])("stays out where it took out members that were settled before: %s", (_, isSlow, isAlone) => {
    const together = openTogether(threeAgents, 2, { clients: [1, 2] });
    const [author, other] = together.members;
    if (!author || !other) throw new Error("Two members are expected.");
    for (const [index, { session }] of [author, other].entries()) session.editor.dispatch([addAgent(`n${index}`)]);
    together.settle();
    const line = "\n  flow: a >> b >> c >> n1 >> n0";
    const { text: settled } = author.session.editor.store.getState();
    expect(settled).toContain(line);
    if (isAlone) together.lose(other);
    const start = settled.indexOf(line);
    for (let end = start + line.length; end > start; end = isSlow ? end - 1 : start) {
      type(author.session, isSlow ? end - 1 : start, end, "");
      together.settle();
    }
    together.connect(other);
    together.settle();
    const server = { state: Y.encodeStateAsUpdate(together.server), previous: settled, client: 3 };
    const update = toSettledUpdate(server);
    if (update) Y.applyUpdate(together.server, update);
    together.settle();
    other.session.editor.dispatch([{ type: "rename", from: "a", to: "later" }]);
    together.settle();
    const expected = settled.replace(line, "").replace("  a:", "  later:");
    for (const text of together.texts()) expect(text).toBe(expected);
    author.session.editor.dispatch([addAgent("n3")]);
    together.settle();
    expect(together.texts()[1]).toContain("n3");
  });

  it("moves a declaration by cutting and pasting it, and the flow stays", () => {
    const together = openTogether(threeAgents, 2);
    const [author] = together.members;
    if (!author) throw new Error("A member is expected.");
    const line = '  a: { model: "demo:writer" }\n';
    const start = threeAgents.indexOf(line);
    type(author.session, start, start + line.length, "");
    together.settle();
    const target = author.session.editor.store.getState().text.indexOf("swarm:");
    type(author.session, target, target, line);
    together.settle();
    const moved = threeAgents.replace(line, "").replace("swarm:", `${line}swarm:`);
    for (const text of together.texts()) expect(text).toBe(moved);
  });
});
