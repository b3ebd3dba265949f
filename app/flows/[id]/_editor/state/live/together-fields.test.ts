import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { errorsOf } from "@/lib/core/flow/problem";
import { readSource } from "@/lib/core/source/read-source";
import { openField, openTogether, seededRandom } from "../testing/open-together";

afterEach(() => void vi.restoreAllMocks());

const flowOf = (agent: string): string => `name: Shared
agents:
  a:${agent}  b: { model: "demo:writer" }
swarm:
  type: workflow
  flow: a >> b
`;

const styles = {
  missing: '\n    model: "demo:writer"\n',
  "missing in braces": ' { model: "demo:writer" }\n',
  plain: '\n    model: "demo:writer"\n    instructions: I am a writer\n    max_steps: 5\n',
  "with a comment": '\n    model: "demo:writer"\n    instructions: I am a writer # as agreed\n',
  "plain in braces": ' { model: "demo:writer", instructions: I am a writer }\n',
  "over two lines": '\n    model: "demo:writer"\n    instructions: I am\n      a writer\n',
  "in double quotes": '\n    model: "demo:writer"\n    instructions: "I am a writer"\n',
  "in single quotes": "\n    model: \"demo:writer\"\n    instructions: 'I''m a writer'\n",
  "in single quotes in braces": " { model: \"demo:writer\", instructions: 'I''m \"a\" writer' }\n",
  "literal block": '\n    model: "demo:writer"\n    instructions: |\n      I am\n\n      a writer\n    max_steps: 5\n',
  "folded block": '\n    model: "demo:writer"\n    instructions: >-\n      I am\n      a writer\n\n      of books\n',
  "without a value": '\n    model: "demo:writer"\n    instructions:\n',
  "with an anchor": '\n    model: "demo:writer"\n    instructions: &x |-\n      I am a writer\n    max_steps: 5\n',
  "with an alias": '\n    model: "demo:writer"\n    instructions: &x I am a writer\n    description: *x\n',
  "empty text": '\n    model: "demo:writer"\n    instructions: ""\n',
} as const;

const setInstructions = (value: string): Edit => ({ type: "set-agent-field", name: "a", field: "instructions", value });

/** Letters of one person only: capitals of each have a word of their own. */
const alphabets = ["ABCDEFG", "HIJKLMN", "OPQRSTU"];
const signs = [": ", " #", '"', "'", "\\", "\n", "- ", " ", "{", "\n\n", "|", "%", "é", "😀", "😁"];

interface Case {
  seed: number;
  people: number;
  strokes: number;
  /** Of 100 steps so many deliver a message. */
  delivered: number;
  style: keyof typeof styles;
  isOffline: boolean;
}

type Together = ReturnType<typeof openTogether>;
type Field = ReturnType<typeof openField>;

/** Lets people act and messages arrive in an order that the seed decides, until all are connected and have everything. */
function play(
  { seed, people, strokes, delivered, style, isOffline }: Case,
  act: (field: Field, index: number, random: () => number) => void,
): { together: Together; fields: Field[] } {
  const random = seededRandom(seed);
  let now = 0;
  vi.spyOn(Date, "now").mockImplementation(() => now);
  const clients = [101, 102, 103].toSorted(() => random() - 0.5);
  const together = openTogether(flowOf(styles[style]), people, { clients });
  const fields = together.members.map(({ session }) => openField(session, setInstructions));
  if (isOffline) for (const member of together.members) together.lose(member);
  for (let step = 0; step < strokes; ) {
    const index = Math.floor(random() * people);
    const [field, member] = [fields[index], together.members[index]];
    if (!field || !member) continue;
    if (random() * 100 < delivered) together.deliver(member, random() < 0.5 ? "toServer" : "fromServer");
    else {
      step++;
      now += 20 + Math.floor(random() * 230);
      act(field, index, random);
    }
  }
  for (const member of together.members) together.connect(member);
  together.settle();
  return { together, fields };
}

const pick = <T>(items: readonly [T, ...T[]] | readonly T[], random: () => number): T | undefined =>
  items[Math.floor(random() * items.length)];

const anyCase = (isOffline: boolean): fc.Arbitrary<Case> =>
  fc.record({
    seed: fc.nat(),
    people: fc.integer({ min: 2, max: 3 }),
    strokes: fc.integer({ min: 2, max: 60 }),
    delivered: fc.constantFrom(0, 20, 60, 90),
    style: fc.constantFrom(...Object.keys(styles).filter((name): name is keyof typeof styles => name in styles)),
    isOffline: fc.constant(isOffline),
  });

/** A place between two characters. */
function findPlace(text: string, part: number): number {
  const characters = [...text];
  return characters.slice(0, Math.floor(part * (characters.length + 1))).join("").length;
}

const textOfStyle = (style: keyof typeof styles): string =>
  readSource(flowOf(styles[style])).flow.agents.get("a")?.instructions ?? "";
const count = (text: string, letters: string): number => [...text].filter((letter) => letters.includes(letter)).length;

/** All have the same bytes, and the file is one that the reader takes. */
function expectSame({ together, fields }: ReturnType<typeof play>): string {
  const [text = "", ...others] = together.texts();
  for (const other of others) expect(other).toBe(text);
  for (const { session } of together.members) {
    const { document, problems } = session.editor.store.getState();
    expect(document.broken).toBe(false);
    expect(document.unreadableRanges).toEqual([]);
    expect(errorsOf(problems).filter(({ code }) => code !== "unknown-provider")).toEqual([]);
  }
  const written = fields[0]?.text ?? "";
  for (const field of fields) expect(field.text).toBe(written);
  return written;
}

/**
 * Letters of one came between a line break and its margin, or between a backslash and its letter, that another one undid; what
 * replaced a text shared half of an escape with it; letters came before a replacement that was undone; a line began with a
 * colon.
 */
const torn: readonly Case[] = [
  { seed: 1925440258, people: 3, strokes: 55, delivered: 20, style: "over two lines", isOffline: true },
  { seed: 4, people: 3, strokes: 51, delivered: 20, style: "in double quotes", isOffline: true },
  { seed: 3, people: 3, strokes: 57, delivered: 0, style: "literal block", isOffline: true },
  { seed: 921644720, people: 3, strokes: 51, delivered: 60, style: "with a comment", isOffline: false },
  { seed: 10745, people: 3, strokes: 53, delivered: 0, style: "in single quotes in braces", isOffline: true },
  { seed: 1726, people: 3, strokes: 47, delivered: 60, style: "in single quotes in braces", isOffline: false },
  { seed: 1424691025, people: 3, strokes: 20, delivered: 90, style: "plain in braces", isOffline: false },
  { seed: 20155, people: 3, strokes: 39, delivered: 20, style: "with an anchor", isOffline: true },
];

describe.each([
  ["at the same time", false],
  ["without a connection, and return", true],
])("people who write in one field of instructions %s", (_, isOffline) => {
  it("property: lose no letter, and have the same valid file", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(anyCase(isOffline), (oneCase) => {
        const typed = alphabets.map((letters) => count(textOfStyle(oneCase.style), letters));
        const played = play(oneCase, (field, index, random) => {
          const letters = alphabets[index] ?? "";
          const add = (more: number): void => {
            typed[index] = (typed[index] ?? 0) + more;
          };
          const chance = random();
          if (chance < 0.06) field.moveTo(findPlace(field.text, random()));
          else if (chance < 0.12) field.type(pick(signs, random) ?? "");
          else if (chance < 0.18 && letters.includes(field.text[field.caret - 1] ?? "-")) {
            field.deleteLeft();
            add(-1);
          } else {
            const word = chance > 0.95 ? `${letters}\n  ${letters}` : (pick([...letters], random) ?? "");
            field.type(word);
            add(count(word, letters));
          }
        });
        const written = expectSame(played);
        for (const index of played.fields.keys()) expect(count(written, alphabets[index] ?? "")).toBe(typed[index]);
      }),
      { numRuns: 40 },
    );
  });

  it("property: keep what the others typed when they delete, paste and undo", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(anyCase(isOffline), (oneCase) => {
        let typed = 0;
        const played = play(oneCase, (field, index, random) => {
          // The first one only types, in a place of the text where the others delete nothing.
          if (index === 0) {
            field.type(pick([..."ABCDEFG"], random) ?? "");
            typed++;
            return;
          }
          const chance = random();
          const places = [random(), random()].map((part) => findPlace(field.text, part));
          const [start = 0, end = 0] = places.toSorted((a, b) => a - b);
          const isFree = !/[A-G]/.test(field.text.slice(start, end));
          if (chance < 0.15) field.undo();
          else if (chance < 0.25) field.redo();
          else if (chance < 0.4 && isFree) field.replace(start, end, "");
          else if (chance < 0.55 && isFree) field.replace(start, end, pick(signs, random) ?? "");
          else if (chance < 0.6) field.type("one: two\n\n  - three # four\n");
          else field.type(pick([..."xyz \n"], random) ?? "");
        });
        expect(count(expectSame(played), "ABCDEFG")).toBe(typed);
      }),
      { numRuns: 40, examples: torn.filter((oneCase) => oneCase.isOffline === isOffline).map((oneCase) => [oneCase]) },
    );
  });
});

it.each(Object.keys(styles) as (keyof typeof styles)[])("emoji beside each other stay whole: %s", (style) => {
  for (const clients of [
    [101, 102],
    [102, 101],
  ]) {
    const together = openTogether(flowOf(styles[style]), 2, { clients });
    const [first, second] = together.members.map(({ session }) => openField(session, setInstructions));
    first?.type("😀");
    together.settle();
    for (const [field, emoji] of [
      [first, "😁"],
      [second, "😂"],
    ] as const) {
      field?.moveTo(field.text.indexOf("😀"));
      field?.type(emoji);
    }
    together.settle();
    const [text = ""] = together.texts();
    expect(text).toMatch(/(😁😂|😂😁)😀/u);
    expect(together.texts()).toEqual([text, text, text]);
  }
});
