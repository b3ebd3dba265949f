import { describe, expect, it } from "vitest";
import type { Edit, Scope } from "@/lib/core/flow/edit";
import type { Session } from "../../session";
import { openTogether } from "../../testing/open-together";
import {
  addAgent,
  bracesSource,
  listMistakes,
  listsSource,
  removeAgent,
  structureSource,
  threeAgents,
} from "../../testing/structure-edits";

type Act = Edit | { typed: string; after: string } | "undo";

const root: Scope = { type: "root" };
const team: Scope = { type: "swarm", name: "team" };
const pair: Scope = { type: "group", name: "pair" };
const inline: Edit = { type: "inline", scope: root, name: "pair" };
const branch: Edit = {
  ...{ type: "add-control", control: "branch", name: "k", scope: root, atEnd: true },
  fields: { condition: "true", if_true: "w" },
};
const rename = (from: string, to: string): Edit => ({ type: "rename", from, to });
const extract = (name: string, ...names: string[]): Edit => ({
  type: "extract-group",
  scope: root,
  names,
  name,
  group: "parallel",
});

function perform({ editor }: Session, act: Act): void {
  if (act === "undo") return void editor.undo();
  if (!("typed" in act)) return void expect(editor.dispatch([act])).toBeNull();
  const { text } = editor.store.getState();
  const from = text.indexOf(act.after) + act.after.length;
  editor.typeText(text.slice(0, from) + act.typed + text.slice(from), [{ from, to: from, insert: act.typed }]);
}

interface Meeting {
  source: string;
  /** What each of two people does without knowing of the other. */
  acts: readonly [readonly Act[], readonly Act[]];
  expected: RegExp;
}

const meetings: Record<string, Meeting> = {
  "typing at the end of a flow, adding an agent": {
    source: structureSource,
    acts: [[{ after: ">> team", typed: " >> w" }], [addAgent("y", "a")]],
    expected: /^ {2}flow: a >> y >> b .*>> team.*>> w/m,
  },
  "typing in the middle of a flow, adding an agent": {
    source: structureSource,
    acts: [[{ after: "flow: a", typed: " >> w" }], [addAgent("y", "b")]],
    expected: /^ {2}flow: a .*>> b >> y >> .*w/m,
  },
  "a comment below a flow that names an agent, renaming it": {
    source: structureSource,
    acts: [[{ after: ">> team", typed: "\n  # ask b first" }], [rename("b", "beta")]],
    expected: /^ {2}flow: a >> beta >> .*\n {2}# ask b first$/m,
  },
  "adding agents to a swarm in braces": {
    source: bracesSource,
    acts: [[addAgent("m", "q", team)], [addAgent("n", "p", team)]],
    expected: /agents: \[p, (?=.*m)(?=.*n).*\]/,
  },
  "renaming a member of a swarm in braces, adding an agent": {
    source: bracesSource,
    acts: [[rename("q", "qx")], [addAgent("n", "p", team)]],
    expected: /agents: \[p, (?=.*n)(?=.*qx).*\]/,
  },
  "renaming two members of a list of lines": {
    source: listsSource,
    acts: [[rename("q", "y")], [rename("p", "x")]],
    expected: / {4}agents:\n {6}- x\n {6}- y\n/,
  },
  "renaming a new group, inlining the only other one": {
    source: structureSource,
    acts: [[extract("g", "b"), rename("g", "h")], [inline]],
    expected: /^ {2}h:\n/m,
  },
  "adding an agent to a new group, inlining the only other one": {
    source: structureSource,
    acts: [[extract("g", "b"), addAgent("n", "b", { type: "group", name: "g" })], [inline]],
    expected: /^ {4}flow: .*n/m,
  },
  "inlining a group in braces and extracting another one, extracting two": {
    source: bracesSource,
    acts: [
      [inline, extract("own", "a")],
      [extract("g", "b"), extract("h", "d")],
    ],
    expected: /^groups: \{(?=.* own: )(?=.* g: )(?=.* h: ).* \}$/m,
  },
  "adding agents to a list that becomes a flow, extracting a group": {
    source: listsSource,
    acts: [[addAgent("n", "p", pair), addAgent("m", "q", pair)], [extract("g", "d")]],
    expected: /^ {4}flow: p >> n \| q >> m$/m,
  },
  "writing the instructions of a new agent, deleting the last one": {
    source: threeAgents,
    acts: [
      [addAgent("n", "a"), { type: "set-agent-field", name: "n", field: "instructions", value: "hello there" }],
      [removeAgent("c")],
    ],
    expected: /^ {2}n:\n {4}model: .*\n {4}instructions: \|-\n {6}hello there$/m,
  },
  "adding an agent, adding one with its name and undoing that": {
    source: threeAgents,
    acts: [[addAgent("n", "a")], [addAgent("n", "a"), "undo"]],
    expected: /^ {2}(n(?:_\d\d)?):\n {4}model: .*\n[\s\S]*flow: a >> \1 >> b/m,
  },
  "adding an agent, adding one with its name and deleting that": {
    source: structureSource,
    acts: [[addAgent("n", "a")], [addAgent("n", "a"), removeAgent("n")]],
    expected: /^ {2}(n(?:_\d\d)?):\n {4}model: .*\n[\s\S]*flow: a >> \1 >> b/m,
  },
  "renaming a group twice with a member between, renaming another member": {
    source: structureSource,
    acts: [[rename("pair", "r"), rename("p", "x"), rename("r", "s")], [rename("q", "y")]],
    expected: /^ {2}s: \{ flow: "x \| y" \}$/m,
  },
  "adding a section below a list, extracting a group there and undoing that": {
    source: listsSource,
    acts: [[branch], [extract("g", "b"), "undo"]],
    expected: /^ {6}- q\n+branches:\n {2}k:\n[\s\S]*^ {2}flow: a >> b >> .* >> k$/m,
  },
  "adding an agent where one was added and undone, extracting a group in a section of its own": {
    source: listsSource,
    acts: [
      [addAgent("m", "c"), "undo", addAgent("n", "p", team)],
      [inline, extract("g", "a")],
    ],
    expected: /^ {2}w: .*\n+ {2}n:\n {4}model: .*\ngroups:\n {2}g:\n/m,
  },
};

const orders = [
  [101, 102],
  [102, 101],
].flatMap((clients) => [true, false].map((isOffline) => ({ clients, isOffline })));

describe.each(orders)("documents $clients, the first one offline: $isOffline", ({ clients, isOffline }) => {
  it.each(Object.entries(meetings))("%s: the file has both, and can be read", (_, { source, acts, expected }) => {
    const together = openTogether(source, 2, { clients });
    const [first] = together.members;
    if (!first) throw new Error("A member is expected.");
    if (isOffline) together.lose(first);
    for (const [index, member] of together.members.entries())
      for (const act of acts[index] ?? []) {
        // What was undone was there for the others.
        if (act === "undo") together.deliver(member, "toServer");
        perform(member.session, act);
      }
    together.connect(first);
    together.settle();
    const [text = "", ...others] = together.texts();
    for (const other of others) expect(other).toBe(text);
    const { document, problems } = first.session.editor.store.getState();
    expect([document.broken, document.unreadableRanges, listMistakes(problems)], text).toEqual([false, [], []]);
    expect(text).toMatch(expected);
  });
});
