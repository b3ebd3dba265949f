import { expect, it } from "vitest";
import * as Y from "yjs";
import { readText } from "../live/live-document";
import { readSource } from "../source/read-source";
import { mendSections } from "./mend-sections";

const agents = `agents:\n  a: { model: "demo:x" }\n\n  b: { model: "demo:x" }\n`;
const flow = `swarm:\n  type: workflow\n  flow: g\n`;
const entry = `g: { type: serial, flow: a }`;
const lines = `h:\n    type: serial\n    flow: b`;

function mended(text: string, previous = `${agents}${flow}`): string {
  const doc = new Y.Doc();
  doc.getText("source").insert(0, text);
  mendSections(doc, readSource(previous));
  return readText(doc);
}

it.each<[string, groups: string, expected: string]>([
  ["an entry before the braces", `groups: , ${entry}{  }\n`, `groups:\n  ${entry}\n`],
  [
    "lines behind an entry in the line of the section",
    `groups: ${entry}\n  ${lines}\n`,
    `groups:\n  ${entry}\n  ${lines}\n`,
  ],
  ["lines in braces", `groups: { ${entry},\n  ${lines} }\n`, `groups:\n  ${entry}\n  ${lines}\n`],
  [
    "entries behind each other",
    `groups:\n  ${entry}, ${entry.replace("g", "h")}\n`,
    `groups:\n  ${entry}\n  ${entry.replace("g", "h")}\n`,
  ],
])("%s become entries of their section, and nothing else changes", (_, groups, expected) => {
  expect(mended(`${agents}${groups}${flow}`)).toBe(`${agents}${expected}${flow}`);
});

it("a section behind the last line of another one begins a line", () => {
  expect(mended(`${agents}groups:\n  ${lines}${flow}`)).toBe(`${agents}groups:\n  ${lines}\n${flow}`);
});

it("the line ends of Windows stay", () => {
  const text = `${agents}groups: , ${entry}{  }\n${flow}`.replaceAll("\n", "\r\n");
  expect(mended(text)).toBe(`${agents}groups:\n  ${entry}\n${flow}`.replaceAll("\n", "\r\n"));
});

it.each<[string, text: string, previous?: string]>([
  ["can be read", `${agents}groups: { ${entry} }\n${flow}`],
  ["has something between its entries", `${agents}groups: , ${entry} and{  }\n${flow}`],
  ["could not be read before: someone is typing", `${agents}groups: , ${entry}{  }\n${flow}`, "agents: {\n"],
])("what %s stays", (_, text, previous) => {
  expect(mended(text, previous)).toBe(text);
});

it("everyone writes the same", () => {
  const text = `${agents}groups: , ${entry}{  }\n${flow}`;
  const [first, second] = [new Y.Doc(), new Y.Doc()];
  first.getText("source").insert(0, text);
  Y.applyUpdate(second, Y.encodeStateAsUpdate(first));
  for (const doc of [first, second]) mendSections(doc, readSource(`${agents}${flow}`));
  Y.applyUpdate(first, Y.encodeStateAsUpdate(second));
  expect(readText(first)).toBe(readText(second));
});
