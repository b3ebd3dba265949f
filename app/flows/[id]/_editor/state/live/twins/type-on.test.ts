import { expect, it } from "vitest";
import type { Edit } from "@/lib/core/flow/edit";
import { openField, openTogether } from "../../testing/open-together";
import { answerTwin } from "../keep-text";
import type { TwinText } from "../live";

const source = `name: Shared
agents:
  a:
    model: "demo:writer"
    instructions: |-
      Write.
swarm:
  type: workflow
  flow: a
`;
const setInstructions = (value: string): Edit => ({ type: "set-agent-field", name: "a", field: "instructions", value });

type Field = ReturnType<typeof openField>;
type Write = (own: Field, others: Field) => void;

/** Ben, who wrote offline, returns while he is in the field. Either text may come first. */
function meet(clients: readonly number[], write: Write) {
  const together = openTogether(source, 2, { clients });
  const [ben, ada] = together.members;
  if (!ben || !ada) throw new Error("Two members are expected.");
  together.lose(ben);
  ben.session.live.store.setState({ status: "reconnecting" });
  const [own, others] = [ben, ada].map(({ session }) => openField(session, setInstructions));
  if (!own || !others) throw new Error("Two fields are expected.");
  write(own, others);
  together.settle();
  together.connect(ben);
  together.settle();
  const typeOn = (letters: string): void => {
    for (const letter of letters) own.type(letter);
    together.settle();
  };
  const twin = (): TwinText => {
    const [first, ...rest] = ben.session.live.store.getState().twins;
    if (!first) throw new Error("A question is expected.");
    expect(rest).toEqual([]);
    return first;
  };
  const texts = (): string[] => {
    const { parts, merged } = twin();
    const ownFirst = parts.toSorted((a) => (a.name === null ? -1 : 1));
    return [...ownFirst.map(({ text }) => text), merged];
  };
  return { together, ben, ada, own, others, typeOn, twin, texts };
}

const append: Write = (own, others) => {
  own.type("Ben");
  others.type("Ada");
};
const rewrite: Write = (own, others) => {
  own.replace(0, own.text.length, "Ben's text");
  others.replace(0, others.text.length, "Ada's text");
};
const orders: readonly (readonly number[])[] = [
  [101, 102],
  [102, 101],
];
const on = " and all that\nhe types ... AAA on";

it.each(orders)("every letter that is typed on is in the field and in the user's own text: %i %i", (...clients) => {
  for (const [write, own, others] of [
    [append, "Write.Ben", "Write.Ada"],
    [rewrite, "Ben's text", "Ada's text"],
  ] as const) {
    const { typeOn, texts, twin, ben, ada, together } = meet(clients, write);
    expect(texts().slice(0, 2)).toEqual([own, others]);
    typeOn(on);
    expect(texts().slice(0, 2)).toEqual([own + on, others]);
    expect(texts()[2]).toContain(on);
    expect(twin().both).toBe(twin().merged);
    expect(ben.session.view.getState().dialog).toBeNull();
    answerTwin(ben.session, twin(), own + on);
    together.settle();
    for (const { session } of [ben, ada])
      expect(session.editor.store.getState().flow.agents.get("a")?.instructions).toBe(own + on);
  }
});

it.each(orders)("undo takes back what its user typed, and the other text stays as it is: %i %i", (...clients) => {
  const { typeOn, texts, ben } = meet(clients, rewrite);
  typeOn(" more");
  ben.session.editor.undo();
  const [own = "", others = "", merged] = texts();
  expect(others).toBe("Ada's text");
  expect([`${own}\n${others}`, `${others}\n${own}`]).toContain(merged);
});

it.each(orders)("what others type on is in their text: %i %i", (...clients) => {
  const { others, texts, together } = meet(clients, rewrite);
  others.moveTo(others.text.indexOf("Ada's text") + "Ada's text".length);
  for (const letter of " goes on") others.type(letter);
  together.settle();
  expect(texts().slice(0, 2)).toEqual(["Ben's text", "Ada's text goes on"]);
});

it.each(orders)("a user who edits the other text changes that one: %i %i", (...clients) => {
  const { own, typeOn, texts } = meet(clients, rewrite);
  own.moveTo(own.text.indexOf("Ada's text") + "Ada's".length);
  typeOn(" old");
  expect(texts().slice(0, 2)).toEqual(["Ben's text", "Ada's old text"]);
});
