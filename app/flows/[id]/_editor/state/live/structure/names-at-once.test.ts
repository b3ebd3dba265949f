import { expect, it } from "vitest";
import type { Edit, Scope } from "@/lib/core/flow/edit";
import type { Session } from "../../session";
import { openTogether } from "../../testing/open-together";
import {
  addAgent,
  bracesSource,
  linksSource,
  listMistakes,
  listsSource,
  removeAgent,
  structureSource,
} from "../../testing/structure-edits";

const root: Scope = { type: "root" };
const team: Scope = { type: "swarm", name: "team" };
const pair: Scope = { type: "group", name: "pair" };

/** What one of them does, by their number, or what all messages do. */
type Step = "settle" | [person: number, act: Edit | "lose" | "connect" | "toServer" | "undo" | "comment"];

const rename = (person: number, from: string, to: string): Step => [person, { type: "rename", from, to }];
/** Old and new names by turns, given by the first person. */
const move = (...names: readonly string[]): Step[] =>
  names.flatMap((from, index) => (index % 2 === 0 ? [rename(0, from, names[index + 1] ?? "")] : []));
const extract = (name: string, ...names: string[]): Edit => ({
  ...{ type: "extract-group", scope: root, name, names, group: "serial" },
});

const comment = "# note\n";

const typeComment = ({ editor }: Session): void =>
  editor.typeText(comment + editor.store.getState().text, [{ from: 0, to: 0, insert: comment }]);

interface Meeting {
  source: string;
  clients: readonly number[];
  steps: readonly Step[];
  expected: RegExp;
}

const meetings: Record<string, Meeting> = {
  "one of two that got the same name is renamed again": {
    source: structureSource,
    clients: [101, 102],
    steps: [rename(1, "c", "same"), rename(0, "q", "same"), "settle", rename(0, "same", "samex")],
    expected: /^ {2}same_\d\d: .*\n[\s\S]*^ {2}samex: /m,
  },
  "one agent gets two names, of which someone else gave one to another agent": {
    source: bracesSource,
    clients: [103, 102, 101],
    steps: [[1, "lose"], rename(1, "d", "same"), rename(0, "a", "same"), rename(2, "a", "ax"), rename(1, "c", "cx")],
    expected: /^ {2}ax: /m,
  },
  "a swarm gets two names, and a member of it is renamed under each": {
    source: structureSource,
    clients: [102, 101],
    steps: [
      [0, "lose"],
      rename(1, "team", "same"),
      rename(0, "team", "teamx"),
      rename(1, "q", "qx"),
      rename(0, "q", "qx"),
    ],
    expected: /^ {2}same:\n {4}type: handoff\n {4}agents: \[p, qx\]\n {4}edges: \[\[p, qx\]\]\n/m,
  },
  "an agent gets two names, and others change what it is in": {
    source: structureSource,
    clients: [103, 102, 101],
    steps: [
      [2, "lose"],
      rename(0, "b", "r0"),
      [1, extract("group", "b")],
      rename(2, "b", "r2"),
      [0, { type: "move-member", name: "r0", from: root, scope: root, at: { member: "c", side: "after" } }],
      "settle",
    ],
    expected: /^ {2}group:\n {4}type: serial\n {4}flow: r2\n/m,
  },
  "a team of lines gets an agent, and loses a member, and its name changes": {
    source: listsSource,
    clients: [101, 103],
    steps: [
      [1, "lose"],
      [0, addAgent("n", "p", team)],
      rename(1, "q", "r2"),
      [1, "connect"],
      [0, "lose"],
      rename(0, "team", "r5"),
      rename(0, "r5", "r5x"),
    ],
    expected: /^ {2}r5x:\n {4}type: handoff\n {4}agents:\n {6}- p\n {6}- (?:r2|n)\n {6}- (?:r2|n)\n/m,
  },
  "a swarm and a member of it get the same name": {
    source: structureSource,
    clients: [103, 102],
    steps: [rename(0, "q", "same"), rename(1, "team", "same"), [0, "toServer"], "settle", rename(0, "p", "px")],
    expected: /^ {2}same:\n {4}type: handoff\n {4}agents: \[px, same_\d\d\]\n/m,
  },
  "a swarm and a member of it get the same name, and the member has its own again": {
    source: listsSource,
    clients: [103, 101],
    steps: [rename(1, "team", "same"), rename(0, "q", "same"), [0, "undo"]],
    expected: /^ {2}same:\n {4}type: handoff\n {4}agents:\n {6}- p\n {6}- q\n {4}edges:/m,
  },
  "a swarm gets two names, one of them in two steps, and a member of it two": {
    source: listsSource,
    clients: [103, 102],
    steps: [
      rename(0, "team", "r3"),
      rename(0, "r3", "same"),
      rename(1, "team", "teamx"),
      rename(1, "q", "qx"),
      rename(0, "q", "r9"),
    ],
    expected:
      /^ {2}teamx:\n {4}type: handoff\n {4}agents:\n {6}- p\n {6}- (qx|r9)\n {4}edges:(?:\n {6}- | \[)\[p, \1\]/m,
  },
  "an agent is deleted while it gets a name that another agent got": {
    source: listsSource,
    clients: [103, 101],
    steps: [rename(1, "a", "same"), rename(0, "b", "same"), [1, removeAgent("b")], [1, "toServer"], [0, "toServer"]],
    expected: /^agents:\n {2}same: .*\n {2}c: /m,
  },
  "an agent gets the name of one that is deleted, and a note above the file": {
    source: bracesSource,
    clients: [103, 101],
    steps: [rename(0, "q", "same"), rename(1, "a", "same"), [0, removeAgent("a")], [0, "comment"]],
    expected: /^# note\nname: Shared\nagents:\n {2}b: /,
  },
  "an agent gets two names, and a group that it is in goes under one of them": {
    source: structureSource,
    clients: [101, 102],
    steps: [
      [0, "lose"],
      [1, "lose"],
      [1, { type: "inline", scope: root, name: "pair" }],
      rename(0, "p", "same"),
      rename(1, "p", "px"),
    ],
    expected: /^ {2}(\w+): .*\n {2}q: [\s\S]* {2}flow: a >> b >> \(c \| \1 \| q\) >> d >> team$/m,
  },
  "a swarm gets two names, and goes into a group under one of them": {
    source: bracesSource,
    clients: [101, 102],
    steps: [rename(1, "team", "teamx"), rename(0, "team", "r1"), [1, extract("group", "teamx")]],
    expected: /^groups: .* group: \{ type: serial, flow: (\w+) \} \}\nswarms: \{ \1: /m,
  },
  "a swarm gets a name with brackets, and an agent under each name": {
    source: structureSource,
    clients: [101, 102],
    steps: [
      rename(0, "team", 'Q [1], "new"'),
      [0, addAgent("z", "p", { type: "swarm", name: 'Q [1], "new"' })],
      [1, addAgent("x", "p", team)],
    ],
    expected: /^ {4}agents: \[p, q, (?:z, x|x, z)\]\n/m,
  },
  "two agents join a group with a comma in its name, after something else got another one": {
    source: structureSource,
    clients: [101, 102],
    steps: [
      [0, extract("Draft, review", "a", "b")],
      "settle",
      rename(0, "c", "cx"),
      "settle",
      [0, addAgent("x", "a", { type: "group", name: "Draft, review" })],
      [1, addAgent("y", "b", { type: "group", name: "Draft, review" })],
    ],
    expected: /^ {4}flow: a >> x >> b >> y$/m,
  },
  "a swarm gets a name that an agent got, and agents under its old one": {
    source: structureSource,
    clients: [102, 101, 103],
    steps: [
      [0, "lose"],
      rename(0, "team", "same"),
      [0, addAgent("z", "q", { type: "swarm", name: "same" })],
      rename(1, "b", "same"),
      "settle",
      [2, addAgent("x", "p", team)],
      [2, addAgent("y", "q", team)],
      "settle",
    ],
    expected: /^ {4}agents: \[p, q(?=.* x)(?=.* y)(?=.* z)[ ,xyz]+\]\n/m,
  },
  "two groups get one name, and an agent joins each before it is known": {
    source: structureSource,
    clients: [103, 101, 102],
    steps: [
      [2, "lose"],
      [2, { ...extract("g", "c", "pair"), group: "parallel" } as Edit],
      [0, extract("g", "a")],
      "settle",
      [0, "lose"],
      [1, "lose"],
      [0, addAgent("z", "a", { type: "group", name: "g" })],
      [1, addAgent("x", "a", { type: "group", name: "g" })],
      [2, "connect"],
      "settle",
    ],
    expected: /^ {2}g(?:_\d\d)?:\n {4}type: serial\n {4}flow: a >> (?:z >> x|x >> z)\n/m,
  },
  "an agent gets two names, and the group that it is in one of them": {
    source: linksSource,
    clients: [101, 102],
    steps: [rename(1, "pair", "same"), [1, "toServer"], rename(1, "p", "px"), rename(0, "p", "same")],
    expected: /^ {2}(same|px): [\s\S]*^ {2}same(?:_\d\d)?: \{ flow: "?\1 \| q"? \}$/m,
  },
  "a group and an agent of a drawing with links get two names each, three people, and one name twice": {
    source: linksSource,
    clients: [101, 102, 103],
    steps: [
      [0, "lose"],
      [2, "lose"],
      rename(1, "pair", "pairx"),
      rename(2, "d", "same"),
      rename(1, "d", "dx"),
      rename(0, "pair", "same"),
      "settle",
      rename(2, "p", "r6"),
      [2, "connect"],
    ],
    expected: /^ {2}type: workflow\n {2}(?:flow|agents|edges): /m,
  },
  "a group of a drawing with links gets two names": {
    source: linksSource,
    clients: [101, 102],
    steps: [rename(0, "c", "r0"), rename(0, "pair", "same"), rename(0, "r0", "r4"), rename(1, "pair", "pairx")],
    expected: /^ {2}(?:flow: a >> b >> \(r4 \| same\) >> d >> team|agents: \[.*\]\n {2}edges: \[.*\])$/m,
  },
  "an agent gets two names, and a swarm one of them": {
    source: listsSource,
    clients: [101, 102, 103],
    steps: [rename(0, "team", "teamx"), rename(1, "b", "same"), rename(0, "teamx", "same"), rename(2, "b", "r5")],
    expected: /^ {2}(\w+): .*\n {2}c: [\s\S]*^ {2}flow: a >> \1 >> /m,
  },
  "a free name goes to another agent, and someone else renames the one that had it": {
    source: structureSource,
    clients: [101, 102],
    steps: [rename(0, "a", "x"), rename(0, "b", "a"), rename(1, "a", "ax")],
    expected: /^ {2}flow: x >> a >> \(c \| pair\) >> d >> team$/m,
  },
  "the names of three agents move on, and someone else renames the second": {
    source: structureSource,
    clients: [101, 102],
    steps: [rename(0, "a", "x"), rename(0, "b", "a"), rename(0, "c", "b"), rename(1, "b", "bx")],
    expected: /^ {2}flow: x >> a >> \(b \| pair\) >> d >> team$/m,
  },
  "the names of three agents go round, and someone else renames the last": {
    source: structureSource,
    clients: [102, 101],
    steps: [...move("a", "x"), ...move("b", "a", "c", "b", "x", "c"), rename(1, "c", "cx")],
    expected: /^ {2}flow: c >> a >> \(cx \| pair\) >> d >> team$/m,
  },
  "a group and a swarm change their names, and someone else renames the swarm": {
    source: structureSource,
    clients: [102, 101],
    steps: [...move("pair", "x", "team", "pair", "x", "team"), rename(1, "team", "r2")],
    expected: /^ {2}flow: a >> b >> \(c \| team\) >> d >> r2$/m,
  },
  "the members of a swarm change their names, and someone else renames the first": {
    source: structureSource,
    clients: [101, 102],
    steps: [...move("p", "x", "q", "p", "x", "q"), rename(1, "p", "r2")],
    expected: /^ {4}agents: \[q, p\]\n {4}edges: \[\[q, p\]\]\n/m,
  },
  "a group and an agent change their names, and someone else those of it and a member of the group": {
    source: structureSource,
    clients: [101, 102],
    steps: [
      ...move("pair", "x", "c", "pair", "x", "c"),
      ...[rename(1, "p", "y"), rename(1, "c", "p"), rename(1, "y", "c")],
    ],
    expected: /^ {2}flow: a >> b >> \(pair \| c\) >> d >> team$/m,
  },
  "an agent gets one name of two people, and a swarm the same of a third": {
    source: structureSource,
    clients: [103, 101, 102],
    steps: [rename(0, "a", "same"), rename(1, "a", "same"), rename(2, "team", "same")],
    expected: /^ {2}(\w+): .*\n {2}b: [\s\S]*\$\{outputs\.\1\}/m,
  },
  "an agent gets one name of two people, and a swarm the same of the first": {
    source: structureSource,
    clients: [103, 102, 101],
    steps: [rename(0, "a", "same"), rename(1, "a", "same"), rename(2, "team", "same")],
    expected: /^ {2}(\w+): .*\n {2}b: [\s\S]*\$\{outputs\.\1\}/m,
  },
  "an agent is deleted after it got a name that someone else gave as well": {
    source: structureSource,
    clients: [101, 102],
    steps: [
      rename(1, "c", "same"),
      rename(0, "q", "same"),
      "settle",
      [0, removeAgent("same")],
      [1, addAgent("n", "p", pair)],
    ],
    expected: /^ {2}n:\n/m,
  },
};

it.each(Object.entries(meetings))("%s: all have one file, without a mistake", (_, meeting) => {
  const together = openTogether(meeting.source, meeting.clients.length, { clients: meeting.clients });
  for (const step of meeting.steps) {
    if (step === "settle") {
      together.settle();
      continue;
    }
    const [person, act] = step;
    const member = together.members[person];
    if (!member) throw new Error("A member is expected.");
    if (act === "toServer") together.deliver(member, act);
    else if (act === "lose" || act === "connect") together[act](member);
    else if (act === "undo") member.session.editor.undo();
    else if (act === "comment") typeComment(member.session);
    else expect(member.session.editor.dispatch([act])).toBeNull();
  }
  for (const member of together.members) together.connect(member);
  together.settle();
  const [text = "", ...others] = together.texts();
  for (const other of others) expect(other).toBe(text);
  expect(text).toMatch(meeting.expected);
  const { document, problems } = together.members[0]?.session.editor.store.getState() ?? {};
  expect([document?.broken, document?.unreadableRanges, listMistakes(problems ?? [])]).toEqual([false, [], []]);
});
