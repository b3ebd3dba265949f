import { expect, it } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import type { Peer } from "@/lib/core/live/messages";
import type { Session } from "../session";
import { openSession } from "../testing/open-session";
import { openField, openTogether } from "../testing/open-together";
import { askAboutTwins } from "./ask-about-twins";
import { nameOnlyOther } from "./twins/name-only-other";

const flowOf = (text: string): string =>
  `agents:\n  a: { model: "demo:writer", instructions: "${text}" }\nswarm: { type: workflow, flow: a }\n`;
const toPeer = (name: string, userId = name): Peer => ({
  ...{ id: userId, userId, name },
  ...{ color: 0, canWrite: true, presence: null },
});
const setInstructions = (value: string): Edit => ({ type: "set-agent-field", name: "a", field: "instructions", value });
const partsOf = ({ live }: Session) => live.store.getState().twins.map(({ parts }) => parts);

/** The parts that Olga is asked about, who returned to a text that Ed or a namesake wrote in. */
function returnToShared(writer: string, peers: readonly Peer[]) {
  const together = openTogether(flowOf("Begin"), 2);
  const [olga, ed] = together.members;
  if (!olga || !ed) throw new Error("Two members are expected.");
  for (const [member, name] of [
    [olga, "Olga"],
    [ed, writer],
  ] as const)
    member.session.live.store.setState({ self: toPeer(name) });
  together.lose(olga);
  openField(olga.session, setInstructions).type(" mine");
  openField(ed.session, setInstructions).type(" theirs");
  together.settle();
  olga.session.live.store.setState({ status: "reconnecting", peers });
  together.connect(olga);
  together.settle();
  expect(partsOf(ed.session)).toEqual([]);
  const [parts] = partsOf(olga.session);
  return parts?.toSorted((a, b) => a.text.localeCompare(b.text));
}

it.each([
  ["the other person", "Ed", [toPeer("Ed")], "Ed"],
  ["the other tab", "Olga", [toPeer("Olga")], "your other tab"],
  ["someone else where someone has the same name", "Olga", [toPeer("Olga", "olga-2")], "someone else"],
])("names %s to a user who returns to a shared text", (_, writer, peers, name) => {
  expect(returnToShared(writer, peers)).toEqual([
    { text: "Begin mine", name: null },
    { text: "Begin theirs", name },
  ]);
});

it("names the only other person to a user who was alone and offline", () => {
  const session = openSession(flowOf("Begin mine theirs"));
  session.live.store.setState({ self: toPeer("Olga"), peers: [toPeer("Ed")] });
  const texts = { base: flowOf("Begin"), mine: flowOf("Begin mine"), theirs: flowOf("Begin theirs") };
  askAboutTwins(session, texts);
  expect(session.view.getState().dialog).toBeNull();
  expect(partsOf(session)).toEqual([
    [
      { text: "Begin mine", name: null },
      { text: "Begin theirs", name: "Ed" },
    ],
  ]);
});

it.each([
  ["a namesake is someone else", [toPeer("Olga", "olga-2")], "the other person"],
  ["another tab of the user, by any name, is not", [toPeer("Olga O.", "Olga")], "the flow"],
  ["a namesake and someone else are two", [toPeer("Olga", "olga-2"), toPeer("Ed")], "the flow"],
])("tells who wrote by the user and not by the name: %s", (_, peers, name) => {
  const session = openSession(flowOf("Begin mine theirs"));
  session.live.store.setState({ self: toPeer("Olga"), peers });
  const texts = { base: flowOf("Begin"), mine: flowOf("Begin mine"), theirs: flowOf("Begin theirs") };
  askAboutTwins(session, { ...texts, authors: ["Olga"] });
  expect(partsOf(session)[0]?.map((part) => part.name)).toEqual([null, name]);
});

it.each([
  ["a person", [toPeer("Ed")], "Ed"],
  ["a namesake", [toPeer("Olga", "olga-2")], "Someone else"],
  ["another tab", [toPeer("Olga O.", "Olga")], "Your other tab"],
  ["one of several", [toPeer("Ed"), toPeer("Ann")], "Someone else"],
])("names the only other editor: %s", (_, peers, name) => {
  const { live } = openSession(flowOf("Begin"));
  live.store.setState({ self: toPeer("Olga"), peers });
  expect(nameOnlyOther(live)).toBe(name);
});

it("names no one to such a user where several people may have written the text", () => {
  const session = openSession(flowOf("Begin mine theirs"));
  session.live.store.setState({ self: toPeer("Olga"), peers: [toPeer("Ed")] });
  const texts = { base: flowOf("Begin"), mine: flowOf("Begin mine"), theirs: flowOf("Begin theirs") };
  askAboutTwins(session, { ...texts, authors: ["Ed", "Olga", "Ann"] });
  expect(partsOf(session)[0]?.map(({ name }) => name)).toEqual([null, "the flow"]);
});

it("asks nothing where the texts are at different places, or one was written over", () => {
  const session = openSession(flowOf("Now begin mine"));
  askAboutTwins(session, {
    base: flowOf("begin"),
    mine: flowOf("begin mine"),
    theirs: flowOf("Now begin"),
  });
  expect(partsOf(session)).toEqual([]);
});
