import { expect, it } from "vitest";
import { WordBook } from "./words";

const toText = (...words: string[]): string =>
  `agents:\n  a:\n    instructions: "${["Begin", ...words].join(" ")}"\nswarm: a\n`;

/** Ann wrote three words and deleted the second one. */
function openBook(): WordBook {
  const book = new WordBook();
  const words = [book.next(), book.next(), book.next()];
  book.note({ writer: "ann", before: [], after: words });
  book.note({ writer: "ann", before: words, after: ["w1x", "w3x"] });
  return book;
}

it.each([
  ["finds nothing wrong", toText("w1x", "w3x"), []],
  ["finds a lost word", toText("w3x"), ["lost w1x"]],
  ["finds a doubled word", toText("w1x", "w3x", "w1x"), ["doubled w1x"]],
  ["finds a word that came back", toText("w1x", "w2x", "w3x"), ["brought back w2x"]],
  [
    "finds a damaged field",
    toText("w1x", "w3x").replace('"Begin', 'Begin"'),
    ['damaged     instructions: Begin" w1x w3x"'],
  ],
])("%s", (_, text, faults) => {
  expect(openBook().check(text)).toEqual(faults);
});

it("expects nothing of a word whose page died", () => {
  const book = openBook();
  book.doubt("ann", 1_000);
  expect(book.check(toText("w2x"))).toEqual([]);
});

it("expects nothing of what is forgotten", () => {
  const book = openBook();
  book.forget(["w1x", "w2x"]);
  expect(book.check(toText("w2x", "w3x"))).toEqual([]);
});

it("expects everything of others", () => {
  const book = openBook();
  book.doubt("bob", 1_000);
  expect(book.check(toText("w1x"))).toEqual(["lost w3x"]);
});
