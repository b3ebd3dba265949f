import { expect, it, vi } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import type { Peer } from "@/lib/core/live/messages";
import { readSource } from "@/lib/core/source/read-source";
import { getEditing, toDocument } from "../editing/editing";
import { openField, openTogether } from "../testing/open-together";
import { findTwin as findTwinAt, readSides } from "./find-twin";
import { answerTwin, keepText } from "./keep-text";
import type { TwinText } from "./live";

const source = `name: Shared
agents:
  earlier:
    model: "demo:writer"
    instructions: |-
      OneTwo TwoOne
  a:
    model: "demo:writer"
    instructions: |-
      Write.
    max_steps: 5
swarm:
  type: workflow
  flow: earlier >> a
`;
const setInstructions = (value: string): Edit => ({ type: "set-agent-field", name: "a", field: "instructions", value });

type Member = ReturnType<typeof openTogether>["members"][number];

function openTwo(text: string) {
  const together = openTogether(text, 2);
  const [returning, staying] = together.members;
  if (!returning || !staying) throw new Error("Two members are expected.");
  return { together, returning, staying };
}

const listTwins = ({ session }: Member) => session.live.store.getState().twins;

/** Selects all and types anew, letter by letter. */
function rewrite({ session }: Member, text: string): void {
  const field = openField(session, setInstructions);
  const [first = "", ...others] = text;
  field.replace(0, field.text.length, first);
  for (const letter of others) field.type(letter);
  field.stop();
}

/** The first one wrote without a connection, and returns. */
function meet(text: string, write: (returning: Member, staying: Member) => void) {
  const { together, returning, staying } = openTwo(text);
  together.lose(returning);
  returning.session.live.store.setState({ status: "reconnecting" });
  write(returning, staying);
  together.settle();
  together.connect(returning);
  together.settle();
  return { together, returning, staying };
}

const append =
  (own: string, others: string) =>
  (returning: Member, staying: Member): void => {
    openField(returning.session, setInstructions).type(own);
    openField(staying.session, setInstructions).type(others);
  };

/** The only question of the one who returned. */
function findTwin(returning: Member): TwinText {
  const [twin, ...others] = listTwins(returning);
  if (!twin) throw new Error("A question is expected.");
  expect(others).toEqual([]);
  return twin;
}

const ownOf = ({ parts }: TwinText): string => parts.find(({ name }) => name === null)?.text ?? "";
const othersOf = ({ parts }: TwinText): string => parts.find(({ name }) => name !== null)?.text ?? "";
const instructionsOf = ({ session }: Member) => session.editor.store.getState().flow.agents.get("a")?.instructions;

it("asks for one of the whole texts where both wrote at one place", () => {
  const { together, returning, staying } = meet(source, append("One", "Two"));
  const twin = findTwin(returning);
  expect([ownOf(twin), othersOf(twin)]).toEqual(["Write.One", "Write.Two"]);
  expect(twin.both).toBe(twin.merged);
  expect(keepText(returning.session, twin, othersOf(twin))).toBeNull();
  together.settle();
  for (const text of together.texts()) expect(text).toBe(source.replace("Write.", "Write.Two"));
  expect(instructionsOf(staying)).toBe("Write.Two");
});

it("keeps what someone typed in the field after the question was asked", () => {
  const { together, returning, staying } = meet(source, append("One", "Two"));
  const twin = findTwin(returning);
  const field = openField(staying.session, setInstructions);
  field.moveTo(0);
  field.type("Now: ");
  together.settle();
  keepText(returning.session, twin, ownOf(twin));
  together.settle();
  expect(instructionsOf(staying)).toBe("Now: Write.One");
});

const twoLines = source.replace("      Write.\n", "      Read the answer.\n      Say what is wrong.\n");
const rewritten = { own: "Ann rewrites everything here.", others: "Bob has another opinion, longer." };

it.each([
  ["yours", ({ own }: typeof rewritten) => own],
  ["theirs", ({ others }: typeof rewritten) => others],
  ["both", null],
])("two people rewrite a text: keeps exactly %s", (_, choose) => {
  const { own, others } = rewritten;
  const { together, returning, staying } = meet(twoLines, (ann, bob) => {
    rewrite(ann, own);
    rewrite(bob, others);
  });
  const twin = findTwin(returning);
  expect([ownOf(twin), othersOf(twin)]).toEqual([own, others]);
  // Until it is answered the field has both, each whole.
  expect(instructionsOf(staying)).toBe(twin.both);
  expect(keepText(returning.session, twin, choose ? choose(rewritten) : (twin.both ?? ""))).toBeNull();
  together.settle();
  for (const member of together.members)
    expect(instructionsOf(member)).toBe(choose ? choose(rewritten) : twin.parts.map(({ text }) => text).join("\n"));
});

it("keeps both of two texts of a field that was not there before, each in a line of its own", () => {
  const write = (text: string): string => source.replace(/(a:\n.*\n {4}instructions: \|-\n).*\n/, `$1      ${text}\n`);
  const [mine, theirs] = ["Ann writes this.", "Bob writes that."];
  const merged = write(`${mine}${theirs}`);
  const base = source.replace(/ {4}instructions: .*\n {6}Write.\n/, "");
  const from = merged.indexOf(mine);
  const place = { from, to: from + mine.length + theirs.length, isMineFirst: true, name: "Bob" };
  const sides = readSides({ base, mine: write(mine), theirs: write(theirs) });
  expect(findTwinAt(readSource(merged), sides, place)?.both).toBe(`${mine}\n${theirs}`);
});

it("has one question where both changed several words of a text, with what each of them left of it", () => {
  const change =
    (words: readonly [string, string]) =>
    ({ session }: Member): void => {
      const [verb, end] = words;
      session.editor.dispatch([setInstructions(`${verb} the answer.\nSay what is wrong.`)]);
      session.editor.dispatch([setInstructions(`${verb} the answer.\nSay what is ${end}.`)]);
    };
  const { together, returning } = meet(twoLines, (ann, bob) => {
    change(["Study", "false"])(ann);
    change(["Judge", "bad"])(bob);
  });
  const twin = findTwin(returning);
  const texts = ["Study the answer.\nSay what is false.", "Judge the answer.\nSay what is bad."];
  expect([ownOf(twin), othersOf(twin)]).toEqual(texts);
  keepText(returning.session, twin, twin.both ?? "");
  together.settle();
  for (const member of together.members)
    expect([texts.join("\n"), texts.toReversed().join("\n")]).toContain(instructionsOf(member));
});

it("has the line that one person kept and the other one rewrote", () => {
  const { returning } = meet(twoLines, (ann, bob) => {
    ann.session.editor.dispatch([setInstructions("Ann reads.\nSay what is wrong.")]);
    rewrite(bob, rewritten.others);
  });
  const twin = findTwin(returning);
  expect([ownOf(twin), othersOf(twin)]).toEqual(["Ann reads.\nSay what is wrong.", rewritten.others]);
});

it("finds the text of an agent that the other one renamed", () => {
  const { returning } = meet(twoLines, (ann, bob) => {
    rewrite(ann, rewritten.own);
    rewrite(bob, rewritten.others);
    bob.session.editor.dispatch([{ type: "rename", from: "a", to: "renamed" }]);
  });
  const twin = findTwin(returning);
  expect([twin.owner, ownOf(twin), othersOf(twin)]).toEqual(["renamed", rewritten.own, rewritten.others]);
});

it("asks nothing where both wrote the same, and keeps it once", () => {
  const { together, returning } = meet(twoLines, (ann, bob) => {
    rewrite(ann, rewritten.own);
    rewrite(bob, rewritten.own);
  });
  together.settle();
  expect(listTwins(returning)).toEqual([]);
  for (const member of together.members) expect(instructionsOf(member)).toBe(rewritten.own);
});

it("asks nothing where both added at different places", () => {
  const { together, returning } = meet(twoLines, (ann, bob) => {
    const field = openField(ann.session, setInstructions);
    field.moveTo(0);
    field.type("First: ");
    openField(bob.session, setInstructions).type(" Be short.");
  });
  expect(listTwins(returning)).toEqual([]);
  for (const member of together.members)
    expect(instructionsOf(member)).toBe("First: Read the answer.\nSay what is wrong. Be short.");
});

it.each([
  ["lines", '\n    model: "demo:writer"\n'],
  ["braces", ' { model: "demo:writer" }\n'],
])("texts of a field that two people added at different places are both in it: %s", (_, agent) => {
  const together = openTogether(`agents:\n  a:${agent}swarm:\n  type: workflow\n  flow: a\n`, 2);
  const [returning, staying] = together.members;
  if (!returning || !staying) throw new Error("Two members are expected.");
  const told = together.members.map(({ session }) => vi.spyOn(session.notify, "info"));
  const set = (field: "temperature" | "max_steps" | "max_retries", value: number): Edit => ({
    type: "set-agent-field",
    name: "a",
    field,
    value,
  });
  together.lose(returning);
  returning.session.editor.dispatch([set("temperature", 0.5)]);
  openField(returning.session, setInstructions).type("XXXX");
  returning.session.editor.dispatch([set("max_steps", 3)]);
  openField(staying.session, setInstructions).type("YYYY");
  staying.session.editor.dispatch([set("max_retries", 1)]);
  together.settle();
  together.connect(returning);
  together.settle();
  const [text, ...others] = together.texts();
  for (const other of others) expect(other).toBe(text);
  const { flow, document } = staying.session.editor.store.getState();
  expect(document.unreadableRanges).toEqual([]);
  expect(flow.agents.get("a")).toMatchObject({ temperature: 0.5, max_steps: 3, max_retries: 1 });
  expect(flow.agents.get("a")?.instructions).toMatch(/^(XXXX\s*YYYY|YYYY\s*XXXX)$/);
  expect(told.flatMap(({ mock }) => mock.calls.flat())).toContainEqual(expect.stringMatching(/added the same field/));
});

it("a variable that was renamed meanwhile has the texts of both", () => {
  const setVar = (name: string) => (value: string) => ({ type: "set-var", name, value }) as const;
  const { returning } = meet(`vars:\n  tone: calm\n  model: x\n${source}`, (first, second) => {
    for (const [{ session }, name, text] of [
      [first, "tone", " mine"],
      [second, "style", " theirs"],
    ] as const) {
      if (name === "style") session.editor.dispatch([{ type: "rename-var", from: "tone", to: name }]);
      const field = openField(session, setVar(name));
      field.type(text);
      field.stop();
    }
  });
  const texts = listTwins(returning).flatMap(({ parts }) => parts.map(({ text }) => text));
  expect(texts.toSorted()).toEqual(["calm mine", "calm theirs"]);
});

const toPeer = (name: string): Peer => ({ id: name, userId: name, name, color: 0, canWrite: true, presence: null });

/** Ada writes; Ben and then Chloé, who wrote offline, return. Chloé is asked while Ben has not answered yet. */
function meetThree() {
  const together = openTogether(source, 3, { clients: [101, 102, 103] });
  const [ada, ben, chloe] = together.members;
  if (!ada || !ben || !chloe) throw new Error("Three members are expected.");
  for (const [{ session }, name] of [
    [ada, "Ada"],
    [ben, "Ben"],
    [chloe, "Chloé"],
  ] as const)
    session.live.store.setState({ self: toPeer(name) });
  for (const member of [ben, chloe]) {
    together.lose(member);
    member.session.live.store.setState({ status: "reconnecting" });
  }
  rewrite(ben, "Ben says five steps.");
  rewrite(chloe, "Chloé says phone.");
  rewrite(ada, "Ada says sources.");
  together.settle();
  const names: unknown[] = [];
  for (const member of [ben, chloe]) {
    together.connect(member);
    together.settle();
    names.push(findTwin(member).parts.find(({ name }) => name !== null)?.name);
    member.session.live.store.setState({ status: "together" });
  }
  return { together, ada, ben, chloe, names };
}

it("names all who wrote the other text", () => {
  const { names } = meetThree();
  expect(names[0]).toBe("Ada");
  expect(["Ada and Ben", "Ben and Ada"]).toContain(names[1]);
});

it("has this user's text alone as the user's, also where a third person writes beside it meanwhile", () => {
  const { ben } = meetThree();
  const asked = findTwin(ben);
  expect(ownOf(asked)).toBe("Ben says five steps.");
  expect(othersOf(asked).split("\n").toSorted()).toEqual(["Ada says sources.", "Chloé says phone."]);
});

it("follows the text while it is open: what is chosen is what is kept", () => {
  const { together, ada, ben, chloe } = meetThree();
  expect(othersOf(findTwin(chloe)).split("\n").toSorted()).toEqual(["Ada says sources.", "Ben says five steps."]);
  answerTwin(ben.session, findTwin(ben), "Ben says five steps.");
  together.settle();
  const asked = findTwin(chloe);
  expect(asked.isChanged).toBe(true);
  expect([ownOf(asked), othersOf(asked)]).toEqual(["Chloé says phone.", "Ben says five steps."]);
  answerTwin(chloe.session, asked, othersOf(asked));
  together.settle();
  for (const member of [ada, ben, chloe]) expect(instructionsOf(member)).toBe("Ben says five steps.");
  expect(listTwins(chloe)).toEqual([]);
});

it("tells the one who chose first where someone else's choice takes the chosen text out again", () => {
  const { together, ben, chloe } = meetThree();
  const told = vi.spyOn(ben.session.notify, "info");
  // Both returned: he was asked, too, when the other text came.
  ben.session.live.store.setState({ met: [] });
  answerTwin(ben.session, findTwin(ben), ownOf(findTwin(ben)));
  together.settle();
  expect(told).not.toHaveBeenCalled();
  answerTwin(chloe.session, findTwin(chloe), ownOf(findTwin(chloe)));
  together.settle();
  expect(told.mock.calls).toEqual([["Someone else removed your text from the instructions of a."]]);
});

it("keeps the text of the user in the question where someone else took it out of the flow", () => {
  const { together, returning, staying } = meet(twoLines, (ann, bob) => {
    rewrite(ann, rewritten.own);
    rewrite(bob, rewritten.others);
  });
  staying.session.editor.dispatch([setInstructions(rewritten.others)]);
  together.settle();
  const asked = findTwin(returning);
  expect([ownOf(asked), othersOf(asked)]).toEqual([rewritten.own, rewritten.others]);
  answerTwin(returning.session, asked, ownOf(asked));
  together.settle();
  expect(instructionsOf(staying)).toBe(rewritten.own);
});

it.each([
  ["removed", ({ own }: typeof rewritten) => own, [["Someone else removed your text from the instructions of a."]]],
  ["chosen", ({ others }: typeof rewritten) => others, []],
])("tells the one who stayed where the text is %s", (_, choose, expected) => {
  const { together, returning, staying } = meet(twoLines, (ann, bob) => {
    rewrite(ann, rewritten.own);
    rewrite(bob, rewritten.others);
  });
  const told = vi.spyOn(staying.session.notify, "info");
  answerTwin(returning.session, findTwin(returning), choose(rewritten));
  together.settle();
  expect(told.mock.calls).toEqual(expected);
});

it("tells of no removed text where someone corrects a word of it", () => {
  const { together, returning, staying } = meet(twoLines, (ann, bob) => {
    rewrite(ann, rewritten.own);
    rewrite(bob, rewritten.others);
  });
  const told = vi.spyOn(staying.session.notify, "info");
  const { merged } = findTwin(returning);
  returning.session.editor.dispatch([setInstructions(merged.replace("opinion", "view"))]);
  together.settle();
  expect(told).not.toHaveBeenCalled();
});

it("is withdrawn, with a notice, where someone else took the other text out of the flow", () => {
  const { together, returning, staying } = meet(twoLines, (ann, bob) => {
    rewrite(ann, rewritten.own);
    rewrite(bob, rewritten.others);
  });
  const told = vi.spyOn(returning.session.notify, "info");
  const stale = findTwin(returning);
  returning.session.live.store.setState({ peers: [toPeer("Ben")] });
  staying.session.editor.dispatch([setInstructions(rewritten.own)]);
  together.settle();
  expect(listTwins(returning)).toEqual([]);
  expect(returning.session.view.getState().dialog).toBeNull();
  expect(told.mock.calls).toEqual([["Ben chose your text for the instructions of a."]]);
  // A click that comes too late changes nothing.
  answerTwin(returning.session, stale, othersOf(stale));
  expect(instructionsOf(returning)).toBe(rewritten.own);
});

it("keeps the condition that the others have, and offers that of who returns, but not both", () => {
  const control = 'branches:\n  ok: { condition: "contains(input, \\"x\\")", if_true: a, if_false: earlier }\nswarm:';
  const setCondition = (value: string): Edit => ({
    type: "set-control-field",
    name: "ok",
    path: ["condition"],
    value,
  });
  const { together, returning, staying } = meet(
    source.replace("swarm:", control).replace("flow: earlier >> a", "flow: ok"),
    (ben, ada) => {
      ben.session.editor.dispatch([setCondition('contains(input, "ben")')]);
      ada.session.editor.dispatch([setCondition('contains(input, "ada")')]);
    },
  );
  const condition: Edit = setCondition("");
  const conditionOf = ({ session }: Member): string =>
    getEditing().readField(toDocument(session.editor.store.getState().document), condition);
  const twin = findTwin(returning);
  expect([ownOf(twin), othersOf(twin), twin.both]).toEqual(['contains(input, "ben")', 'contains(input, "ada")', null]);
  for (const member of together.members) expect(conditionOf(member)).toBe('contains(input, "ada")');
  const told = vi.spyOn(staying.session.notify, "info");
  answerTwin(returning.session, twin, ownOf(twin));
  together.settle();
  expect(conditionOf(staying)).toBe('contains(input, "ben")');
  expect(told.mock.calls).toEqual([["Someone else replaced your condition of ok."]]);
});
