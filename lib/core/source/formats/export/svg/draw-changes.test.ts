import { expect, it } from "vitest";
import { readSource } from "../../../read-source";
import { drawOverlay } from "./export-svg";
import { palettes } from "./palettes";

const draw = (before: string, after: string): string => drawOverlay(readSource(before), readSource(after));
const textsIn = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);
const flow = (agents: string, line: string): string =>
  `name: T\nagents: { ${agents} }\nswarm: { type: workflow, flow: ${line} }\n`;
const { added, removed } = palettes.light.changes;

const count = (svg: string, pattern: RegExp): number => svg.match(pattern)?.length ?? 0;

it("marks added, changed, renamed and removed nodes with a colour, a sign and a word", () => {
  const before = flow("a: {}, b: { model: demo:x }, c: { instructions: Old. }", "a >> b >> c");
  const after = flow("a: { model: demo:y }, d: {}, e: { instructions: Old. }", "a >> d >> e");
  const svg = draw(before, after);
  const words = textsIn(svg);
  for (const word of ["Changed", "Added", "Renamed, was c", "Removed agent", "b"]) expect(words).toContain(word);
  expect(words).not.toContain("c");
  expect(count(svg, /<circle r="11"/g)).toBe(4 + 4);
  expect(count(svg, new RegExp(`<path [^>]*stroke="${added}" stroke-width="4"`, "g"))).toBe(2);
  expect(count(svg, new RegExp(`<path [^>]*stroke="${removed}" stroke-width="2.5"`, "g"))).toBe(2);
});

it("keeps the links of nodes that moved into a group, and of renamed ones", () => {
  const before = flow("a: {}, b: { model: demo:b }, c: {}", "a >> b >> c");
  expect(draw(before, flow("a: {}, x: { model: demo:b }, c: {}", "a >> x >> c"))).not.toMatch(/stroke-width="(4|2.5)"/);
});

it("has no marks for the same flow, and escapes names", () => {
  const text = flow('"<b>": {}', '"<b>"');
  expect(draw(text, text)).not.toContain("<circle r=");
  for (const other of [flow("a: {}", "a"), flow("a: { model: demo:x }", "a")]) {
    expect(draw(text, other)).toContain("&lt;b&gt;");
    expect(draw(text, other)).not.toContain("<b>");
  }
});

it("has room for any number of removed nodes", () => {
  const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
  const svg = draw(flow(names.map((name) => `${name}: {}`).join(", "), names.join(" >> ")), flow("a: {}", "a"));
  const [, x = 0, y = 0, width = 0, height = 0] = (/viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(svg) ?? []).map(Number);
  for (const [, cx, cy] of svg.matchAll(/translate\(([-\d.]+) ([-\d.]+)\)/g)) {
    expect(Number(cx)).toBeGreaterThan(x);
    expect(Number(cx)).toBeLessThan(x + width);
    expect(Number(cy)).toBeGreaterThan(y);
    expect(Number(cy)).toBeLessThan(y + height);
  }
});
