import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import type { Edit } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import { type Member, openField, openTogether } from "../testing/open-together";

const inBraces = `name: Shared
agents:
  a: { model: "demo:writer" }
  z: { model: "demo:writer" }
swarm:
  type: workflow
  flow: a >> z
`;
const inLines = `name: Shared
agents:
  a:
    model: demo:writer
  z:
    model: demo:writer
    instructions: |-
      Old
swarm:
  type: workflow
  flow: a >> z
`;
const scope = { type: "root" } as const;
const setInstructions =
  (name: string) =>
  (value: string): Edit => ({ type: "set-agent-field", name, field: "instructions", value });
const addAgent = (name: string, instructions?: string): Edit => ({
  ...{ type: "add-agent", name, scope, model: "demo:writer", atEnd: true },
  ...(instructions !== undefined && { instructions }),
});
const deleteAgent = (name: string): Edit => ({ type: "delete-nodes", scope, names: [name], declarations: true });

type Together = ReturnType<typeof openTogether>;

const dispatch = ({ session }: Member, edit: Edit): void => expect(session.editor.dispatch([edit])).toBeNull();

/** All have the same file, which can be read. Returns its agents. */
function readAgents({ texts, members }: Together): Flow["agents"] {
  expect(new Set(texts()).size).toBe(1);
  for (const { session } of members) {
    const { document } = session.editor.store.getState();
    expect([document.broken, document.unreadableRanges]).toEqual([false, []]);
  }
  return members[0]?.session.editor.store.getState().flow.agents ?? new Map();
}

const lostOf = ({ session }: Member): string[] => session.live.store.getState().lost.map(({ text }) => text);

/** One adds an agent after the last one while another one deletes that one. */
function openRescued({ source = inLines, clients = [101, 102, 103], instructions = "Made it" } = {}) {
  const together = openTogether(source, 3, { clients });
  const [adder, deleter, third] = together.members;
  if (!adder || !deleter || !third) throw new Error("Three members are expected.");
  dispatch(adder, addAgent("n", instructions));
  dispatch(deleter, deleteAgent("z"));
  together.settle();
  return { together, adder, deleter, third };
}

/** Each letter arrives before the next one. Another one types each second one, if given. */
function typeWord({ settle }: Together, writers: readonly Member[], { at, word }: { at: number; word: string }): void {
  const fields = writers.map(({ session }) => openField(session, setInstructions("n")));
  for (const [index, letter] of [...word].entries()) {
    const field = fields[index % fields.length];
    field?.moveTo(at + index);
    field?.type(letter);
    settle();
  }
  for (const field of fields) field.stop();
}

const orders = [
  [101, 102, 103],
  [103, 102, 101],
];
const sources = { braces: inBraces, lines: inLines };
const cases = (["braces", "lines"] as const).flatMap((form) =>
  orders.flatMap((clients) => ["Made it", "Made\nit"].map((instructions) => ({ form, clients, instructions }))),
);

describe.each(cases)(
  "an agent that was added while another one deleted the one before it: $form, $clients, $instructions",
  ({ form, clients, instructions }) => {
    const open = () => openRescued({ source: sources[form], clients, instructions });

    it.each([0, 3, 7])("keeps what anyone types in it later: at %i", (at) => {
      for (const writer of [0, 1, 2]) {
        const { together } = open();
        typeWord(together, together.members.slice(writer, writer + 1), { at, word: "WO\nRD" });
        const expected = `${instructions.slice(0, at)}WO\nRD${instructions.slice(at)}`;
        expect(readAgents(together).get("n")?.instructions).toBe(expected);
      }
    });

    it("keeps what is typed after a reload", () => {
      const { together } = open();
      const reloaded = openTogether(together.texts()[0] ?? "", 2, {
        clients: [201, clients[0] === 101 ? 202 : 200],
        state: Y.encodeStateAsUpdate(together.server),
      });
      typeWord(reloaded, reloaded.members, { at: 0, word: "WORD" });
      expect(readAgents(reloaded).get("n")?.instructions).toBe(`WORD${instructions}`);
    });

    it.each([0, 3, 7])("keeps what was typed in it by one who did not know of the deletion: at %i", (at) => {
      const together = openTogether(sources[form], 3, { clients });
      const [adder, deleter, third] = together.members;
      if (!adder || !deleter || !third) throw new Error("Three members are expected.");
      together.lose(deleter);
      dispatch(deleter, deleteAgent("z"));
      dispatch(adder, addAgent("n", instructions));
      together.settle();
      typeWord(together, [third], { at, word: "WORD" });
      dispatch(third, addAgent("m", "More"));
      together.settle();
      together.connect(deleter);
      together.settle();
      const agents = readAgents(together);
      expect([...agents.keys()]).toEqual(["a", "n", "m"]);
      expect(agents.get("n")?.instructions).toBe(`${instructions.slice(0, at)}WORD${instructions.slice(at)}`);
      expect(agents.get("m")?.instructions).toBe("More");
      expect(together.members.map(lostOf)).toEqual([[], [], []]);
    });

    it("tells no one that it is lost", () => {
      const { together, adder } = open();
      typeWord(together, together.members, { at: 0, word: "WORD" });
      openField(adder.session, setInstructions("n")).replace(0, 6, "");
      together.settle();
      expect(readAgents(together).get("n")?.instructions).toBe(instructions.slice(2));
      expect(together.members.map(lostOf)).toEqual([[], [], []]);
    });

    it("is lost with what is typed in it when it is deleted in turn, but for an agent after it", () => {
      const { together, adder, deleter, third } = open();
      openField(third.session, setInstructions("n")).type("WORD");
      dispatch(adder, addAgent("m", "More"));
      dispatch(deleter, deleteAgent("n"));
      together.settle();
      const agents = readAgents(together);
      expect([...agents.keys()]).toEqual(["a", "m"]);
      expect(agents.get("m")?.instructions).toBe("More");
      expect(together.texts()[0]).not.toContain("WORD");
      expect(lostOf(adder)).toEqual([]);
      expect(lostOf(third).join()).toContain("WORD");
      openField(third.session, setInstructions("m")).type("WORD");
      together.settle();
      expect(readAgents(together).get("m")?.instructions).toBe("MoreWORD");
    });
  },
);

it("an agent beside a deleted one keeps a text of many turns, and what looks like a field", () => {
  const { together, adder, deleter, third } = openRescued();
  const word = Array.from({ length: 240 }, (_, index) => "abc"[index % 3]).join("");
  typeWord(together, [adder, deleter, third], { at: 7, word });
  openField(adder.session, setInstructions("n")).type("\nEnd");
  together.settle();
  const field = openField(third.session, setInstructions("n"));
  field.moveTo(247);
  field.type(" foo: bar\n  baz: bar");
  dispatch(deleter, addAgent("m"));
  dispatch(adder, deleteAgent("a"));
  together.settle();
  expect(readAgents(together).get("n")?.instructions).toBe(`Made it${word} foo: bar\n  baz: bar\nEnd`);
});
