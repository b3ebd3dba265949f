import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import type { Session } from "../session";
import { openField, openTogether, seededRandom } from "../testing/open-together";

const source = `name: Shared
vars:
  tone: "mild"
agents:
  first:
    model: "demo:writer"
    instructions: |-
      Begin.
  a:
    model: "demo:writer"
    description: "Writes"
    instructions: |-
      Write a text.
      Be brief.
  b: { model: "demo:writer", instructions: "Read." }
  helper: { model: "demo:writer" }
routers:
  desk:
    lanes:
      yes: { when: "always", flow: helper }
      no: { when: "never", flow: helper }
swarm:
  type: workflow
  flow: first >> a >> b >> desk
`;
const setInstructions =
  (name: string) =>
  (value: string): Edit => ({ type: "set-agent-field", name, field: "instructions", value });
const deleteAgent = (name: string): Edit => ({
  type: "delete-nodes",
  scope: { type: "root" },
  names: [name],
  declarations: true,
});

type Together = ReturnType<typeof openTogether>;

function openTwo(text = source) {
  const together = openTogether(text, 2);
  const [author, other] = together.members;
  if (!author || !other) throw new Error("Two members are expected.");
  return { together, author, other };
}

/** All have the same file, which can be read. Returns it. */
function expectReadable({ texts, members }: Together): string {
  const [text = "", ...others] = texts();
  for (const one of others) expect(one).toBe(text);
  for (const { session } of members) {
    const { document } = session.editor.store.getState();
    expect(document.broken).toBe(false);
    expect(document.unreadableRanges).toEqual([]);
  }
  return text;
}

const lostOf = ({ live }: Session): string[] => live.store.getState().lost.map(({ text }) => text);

describe.each([
  ["at the same time", false],
  ["while the author has no connection", true],
])("a part of the flow that someone deletes %s", (_, isOffline) => {
  it.each<[name: string, toEdit: (text: string) => Edit, remove: (session: Session) => void]>([
    ["an agent", setInstructions("a"), ({ editor }) => void editor.dispatch([deleteAgent("a")])],
    ["an agent in braces", setInstructions("b"), ({ editor }) => void editor.dispatch([deleteAgent("b")])],
    [
      "an agent, in the text",
      setInstructions("a"),
      ({ editor }) => {
        const { text } = editor.store.getState();
        editor.typeText(text.slice(0, text.indexOf("  a:\n")) + text.slice(text.indexOf("  b:")));
      },
    ],
    [
      "a field, in the text",
      setInstructions("a"),
      ({ editor }) => {
        const { text } = editor.store.getState();
        editor.typeText(text.slice(0, text.lastIndexOf("    instructions: |-")) + text.slice(text.indexOf("  b:")));
      },
    ],
    [
      "a description",
      (value) => ({ type: "set-agent-field", name: "a", field: "description", value }),
      ({ editor }) => void editor.dispatch([deleteAgent("a")]),
    ],
    [
      "the only variable",
      (value) => ({ type: "set-var", name: "tone", value }),
      ({ editor }) => void editor.dispatch([{ type: "set-var", name: "tone" }]),
    ],
    [
      "a lane",
      (value) => ({ type: "set-control-field", name: "desk", path: ["lanes", "yes", "when"], value }),
      ({ editor }) => void editor.dispatch([{ type: "set-control-field", name: "desk", path: ["lanes", "yes"] }]),
    ],
    ["the whole text", setInstructions("a"), ({ editor }) => editor.typeText("")],
  ])("leaves a readable file without the letters, which their author is shown: %s", (_what, toEdit, remove) => {
    const { together, author, other } = openTwo();
    if (isOffline) together.lose(author);
    const field = openField(author.session, toEdit);
    field.moveTo(3);
    field.type("XY");
    remove(other.session);
    field.type("Z");
    const seen = field.text;
    field.stop();
    together.settle();
    together.connect(author);
    together.settle();
    expect(expectReadable(together)).not.toMatch(/[XYZ]/);
    expect(lostOf(author.session)).toEqual([seen]);
    expect(lostOf(other.session)).toEqual([]);
  });
});

it("names who deleted what, and what was not kept of a value", () => {
  const { together, author, other } = openTwo();
  const self = { id: "1", userId: "o", color: 0, canWrite: true, presence: null };
  other.session.live.store.setState({ self: { ...self, name: "Olga" } });
  author.session.editor.dispatch([{ type: "set-agent-field", name: "a", field: "max_steps", value: 7 }]);
  other.session.editor.dispatch([deleteAgent("a")]);
  together.settle();
  expectReadable(together);
  expect(author.session.live.store.getState().lost).toMatchObject([{ owner: "a", by: "Olga", text: "7" }]);
});

it("tells the author who hears of both at once that another one has taken the letters out", () => {
  const { together, author, other } = openTwo();
  openField(author.session, setInstructions("a")).type("XYZ");
  while (together.deliver(author, "toServer"));
  other.session.editor.dispatch([deleteAgent("a")]);
  // The other one takes the letters out; then everything reaches the author in one message.
  while (together.deliver(other, "toServer") || together.deliver(other, "fromServer"));
  together.lose(author);
  together.connect(author);
  together.settle();
  expect(expectReadable(together)).not.toContain("XYZ");
  expect(lostOf(author.session)).toEqual(["Write a text.\nBe brief.XYZ"]);
});

it("says nothing to an author whose text the other one knew", () => {
  const { together, author, other } = openTwo();
  openField(author.session, setInstructions("a")).type("XYZ");
  together.settle();
  other.session.editor.dispatch([deleteAgent("a")]);
  together.settle();
  expectReadable(together);
  expect(lostOf(author.session)).toEqual([]);
});

it("leaves letters in a text of which another one deletes a part, and an agent that is added beside a deleted one", () => {
  const { together, author, other } = openTwo();
  const field = openField(author.session, setInstructions("a"));
  field.moveTo(8);
  field.type("XYZ");
  openField(other.session, setInstructions("a")).replace(0, 23, "");
  together.settle();
  expect(expectReadable(together)).toContain("XYZ");
  const added: Edit = { type: "add-agent", name: "c", scope: { type: "root" }, model: "demo:writer" };
  author.session.editor.dispatch([added]);
  other.session.editor.dispatch([deleteAgent("b")]);
  together.settle();
  expect(expectReadable(together)).toContain("  c:");
  expect(lostOf(author.session)).toEqual([]);
});

it("keeps a field that is added in braces while another one deletes the field before it", () => {
  // The ids of the documents, which decide about order, are random.
  for (let round = 0; round < 6; round++) {
    const { together, author, other } = openTwo(source.replace('"Read." }', '"Read.", max_steps: 2 }'));
    author.session.editor.dispatch([{ type: "set-agent-field", name: "b", field: "temperature", value: 0.5 }]);
    other.session.editor.dispatch([{ type: "set-agent-field", name: "b", field: "max_steps" }]);
    together.settle();
    expectReadable(together);
    const agent = author.session.editor.store.getState().flow.agents.get("b");
    expect(agent).toMatchObject({ instructions: "Read.", temperature: 0.5, max_steps: 10 });
    expect(lostOf(author.session)).toEqual([]);
  }
});

it.each([5, undefined])("a number that one sets and another one deletes changes no other field: before %s", (steps) => {
  const written = steps === undefined ? "" : `, max_steps: ${steps}`;
  const { together, author, other } = openTwo(source.replace('"Read." }', `"Read.", temperature: 1${written} }`));
  author.session.editor.dispatch([{ type: "set-agent-field", name: "b", field: "max_steps", value: 7 }]);
  other.session.editor.dispatch([deleteAgent("b")]);
  together.settle();
  expect(expectReadable(together)).not.toContain("7");
  expect(lostOf(author.session)).toEqual(["7"]);
});

it("undo brings the agent back, and what others write in it stays", () => {
  const { together, author, other } = openTwo();
  const field = openField(author.session, setInstructions("a"));
  field.type("XYZ");
  other.session.editor.dispatch([deleteAgent("a")]);
  together.settle();
  other.session.editor.undo();
  together.settle();
  openField(author.session, setInstructions("a")).type("UVW");
  together.settle();
  expect(expectReadable(together)).toContain("UVW");
});

/** In two styles of blocks: with the line break at the end, and without. */
const blockStyles = [source, source.replaceAll("|-", "|").replace("Be brief.", "Be brief.\n")];

/** What people wrote, and what of it someone who saw it deleted. Each key press is a character of its own. */
function createRecord() {
  const writers = new Map<string, number>();
  const seen = new Set<string>();
  return {
    write(author: number): string {
      const letter = String.fromCodePoint(0x4e00 + writers.size);
      writers.set(letter, author);
      return letter;
    },
    see: (text: string): void => [...text].forEach((letter) => void (writers.has(letter) && seen.add(letter))),
    listOf: (author: number): string[] =>
      [...writers].flatMap(([letter, writer]) => (writer === author && !seen.has(letter) ? [letter] : [])),
  };
}

it("property: three people who type and delete agents have one readable file, and each letter is in it or shown", () => {
  const names = ["first", "a", "b"];
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...blockStyles), (seed, text) => {
      const random = seededRandom(seed);
      const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
      const together = openTogether(text, 3);
      const record = createRecord();
      if (random() < 0.3) for (const member of together.members) together.lose(member);
      for (let step = 0; step < 30; step++) {
        const index = Math.floor(random() * 3);
        const member = together.members[index];
        const name = pick(names) ?? "a";
        if (!member) continue;
        const { editor } = member.session;
        if (random() < 0.4) together.deliver(member, random() < 0.5 ? "toServer" : "fromServer");
        else if (!editor.store.getState().flow.agents.has(name)) continue;
        else if (random() < 0.1) {
          record.see(editor.store.getState().flow.agents.get(name)?.instructions ?? "");
          editor.dispatch([deleteAgent(name)]);
        } else {
          const field = openField(member.session, setInstructions(name));
          field.moveTo(Math.floor(random() * (field.text.length + 1)));
          field.type(random() < 0.2 ? `${record.write(index)}\n` : record.write(index));
          field.stop();
        }
      }
      for (const member of together.members) together.connect(member);
      together.settle();
      const file = expectReadable(together);
      for (const [index, { session }] of together.members.entries())
        for (const letter of record.listOf(index)) expect(file + lostOf(session).join("")).toContain(letter);
    }),
    { numRuns: 60 },
  );
}, 120_000);

it("shows what was lost of one agent while the same words, lost of another one, are unread", () => {
  const { together, author, other } = openTwo();
  openField(author.session, setInstructions("a")).replace(0, 23, "Be fast. Sort by name.");
  other.session.editor.dispatch([deleteAgent("a")]);
  together.settle();
  openField(author.session, setInstructions("b")).replace(0, 5, "Be fast.");
  other.session.editor.dispatch([deleteAgent("b")]);
  together.settle();
  expectReadable(together);
  const { lost } = author.session.live.store.getState();
  expect(lost.map(({ owner, text }) => [owner, text])).toEqual([
    ["a", "Be fast. Sort by name."],
    ["b", "Be fast."],
  ]);
});
