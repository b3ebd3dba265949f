import { expect, it } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import type { Peer } from "@/lib/core/live/messages";
import type { Session } from "../session";
import { openSession } from "../testing/open-session";
import { openField, openTogether } from "../testing/open-together";
import { askAboutTwins } from "./ask-about-twins";

const flowOf = (text: string): string =>
  `agents:\n  a: { model: "demo:writer", instructions: "${text}" }\nswarm: { type: workflow, flow: a }\n`;
const toPeer = (name: string): Peer => ({ id: name, userId: name, name, color: 0, canWrite: true, presence: null });
const setInstructions = (value: string): Edit => ({ type: "set-agent-field", name: "a", field: "instructions", value });
const partsOf = ({ live }: Session) => live.store.getState().twins.map(({ parts }) => parts);

it("names the other person to a user who returns to a shared text", () => {
  const together = openTogether(flowOf("Begin"), 2);
  const [olga, ed] = together.members;
  if (!olga || !ed) throw new Error("Two members are expected.");
  for (const [member, name] of [
    [olga, "Olga"],
    [ed, "Ed"],
  ] as const)
    member.session.live.store.setState({ self: toPeer(name) });
  together.lose(olga);
  openField(olga.session, setInstructions).type(" mine");
  openField(ed.session, setInstructions).type(" theirs");
  together.settle();
  olga.session.live.store.setState({ status: "reconnecting" });
  together.connect(olga);
  together.settle();
  const [parts] = partsOf(olga.session);
  expect(parts?.toSorted((a, b) => a.text.localeCompare(b.text))).toEqual([
    { text: "Begin mine", name: null },
    { text: "Begin theirs", name: "Ed" },
  ]);
  expect(partsOf(ed.session)).toEqual([]);
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
