import { expect, test } from "vitest";
import * as Y from "yjs";
import { noteDeleted } from "./deleted-entries";

/** Notes the deletion of one entry of three letters. Each document after the first has received what the one before has. */
function noteInTurns(count: number): Y.Doc {
  const docs = [new Y.Doc(), new Y.Doc(), new Y.Doc()];
  docs[0]?.getText("source").insert(0, "abc".repeat(count));
  for (let number = 0; number < count; number++) {
    const [doc, before] = [docs[number % 3], docs[(number + 2) % 3]];
    if (!doc || !before) continue;
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(before, Y.encodeStateVector(doc)));
    noteDeleted(doc, [{ from: number * 3, to: number * 3 + 3, title: `entry ${number}` }]);
  }
  const whole = new Y.Doc();
  for (const doc of docs) Y.applyUpdate(whole, Y.encodeStateAsUpdate(doc));
  return whole;
}

test("the latest deletions stay noted, whoever made them and in whichever order their notes are read", () => {
  const copy = new Y.Doc();
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(noteInTurns(300)));
  for (let number = 0; number < 10; number++)
    noteDeleted(copy, [{ from: number * 3 + 1, to: number * 3 + 3, title: `late ${number}` }]);
  const titles = [...copy.getMap<{ title: string }>("deleted").values()].map(({ title }) => title);
  const expected = [
    ...Array.from({ length: 290 }, (_, index) => `entry ${index + 10}`),
    ...Array.from({ length: 10 }, (_, index) => `late ${index}`),
  ];
  expect(titles.toSorted()).toEqual(expected.toSorted());
});
