import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCodePoint } from "../../../../flow/code-point.arbitrary";
import { emptyLayout, type Layout } from "../../../../flow/edit";
import { readSource } from "../../../read-source";
import { drawSvgs, exportSvg } from "./export-svg";
import { palettes } from "./palettes";

const draw = (text: string, layout?: Layout, theme?: "light" | "dark"): string =>
  exportSvg({ ...readSource(text), ...(layout && { layout }) }, theme ? { theme } : {}).text;
const textsIn = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => text);
const numbersIn = (svg: string, attribute: string): number[] =>
  [...svg.matchAll(new RegExp(` ${attribute}="(-?[\\d.]+)"`, "g"))].map(([, number]) => Number(number));
const withNote = (text: string, width = 200, height = 80): Layout => ({
  ...emptyLayout,
  notes: { n1: { text, x: 0, y: 0, width, height, color: "yellow" } },
});

const flow = `name: Desk
agents:
  scout: { model: "demo:scout", tools: [read_page, web_search] }
  writer: {}
groups: { pair: { type: parallel, flow: "scout | writer" }, chain: { type: serial, flow: a1 >> a2 } }
swarms: { desk: { type: team, agents: [a3, a4] } }
approvals: { ok: { message: Sure? } }
swarm: { flow: pair >> chain >> desk >> ok >> missing }
`;

describe("a picture of a flow", () => {
  const svg = draw(flow);

  it("describes every card and frame in a few words", () => {
    const texts = textsIn(svg);
    for (const words of [
      "demo:scout",
      "no model",
      "Parallel",
      "Serial",
      "Team",
      "Lead",
      "SC",
      "read_page",
      "web_search",
      "Approval",
      "not declared",
    ])
      expect(texts).toContain(words);
  });

  it("has the colours of agents that are asked for", () => {
    const [, , third, fourth] = palettes.light.agents.map((color) => `rx="6" fill="${color}"`);
    const recoloured = exportSvg({ ...readSource(flow) }, { agentNumbers: new Map([["scout", 3]]) }).text;
    expect(svg).not.toContain(fourth);
    expect(recoloured).toContain(fourth);
    expect(recoloured).toContain(third);
  });

  it("is as large as what is in it, with a margin round it", () => {
    const [, minX = 0, minY = 0, width = 0, height = 0] =
      /viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(svg)?.map(Number) ?? [];
    const boxes = [...svg.matchAll(/<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)" rx/g)].map((box) =>
      box.slice(1).map(Number),
    );
    expect(boxes.length).toBeGreaterThan(8);
    for (const [x = 0, y = 0, boxWidth = 0, boxHeight = 0] of boxes) {
      expect(Math.min(x - minX, y - minY)).toBeGreaterThanOrEqual(20);
      expect(Math.max(x + boxWidth - minX - width, y + boxHeight - minY - height)).toBeLessThanOrEqual(-20);
    }
  });

  it("dashes frames that run at once, cards that are not declared, and links that are none of the flow", () => {
    expect(svg.match(/stroke-dasharray="6 4"/g)).toHaveLength(1);
    expect(svg).toMatch(/stroke-dasharray="4 3"\/>/);
    expect(draw("agents: { a: {}, b: {} }\nswarm: { type: orchestrate, agents: [a, b] }\n")).toMatch(
      /<path [^>]*stroke-dasharray="6 4"/,
    );
    expect(draw("agents: { a: {}, b: {} }\nswarm: { flow: a >> b }\n")).not.toContain("stroke-dasharray");
  });

  it("of an empty flow is an empty canvas of a certain size", () => {
    const empty = draw("");
    expect([textsIn(empty), numbersIn(empty, "width")[0], numbersIn(empty, "height")[0]]).toEqual([[], 224, 104]);
  });

  it("has other colours in the dark, and nothing else", () => {
    const colour = /#[0-9a-f]{6}/g;
    const dark = draw(flow, undefined, "dark");
    expect(dark.replaceAll(colour, "")).toBe(svg.replaceAll(colour, ""));
    expect(new Set(dark.match(colour))).not.toEqual(new Set(svg.match(colour)));
  });

  it("gives an agent the same colour wherever it is", () => {
    const colourOf = (text: string): string | undefined => /height="30" rx="6" fill="(#\w+)"/.exec(draw(text))?.[1];
    const alone = colourOf("agents: { scout: {} }\nswarm: { flow: scout }\n");
    expect(alone).toBeDefined();
    expect(colourOf("agents: { scout: {}, b: {} }\nswarm: { flow: scout >> b }\n")).toBe(alone);
  });
});

describe("the look of the canvas in a picture", () => {
  const chain = (count: number): string => {
    const names = Array.from({ length: count }, (_, index) => `s${index}`);
    return `agents: { ${names.map((name) => `${name}: {}`).join(", ")} }\nswarm: { flow: ${names.join(" >> ")} }\n`;
  };
  const tilesIn = (svg: string) =>
    [...svg.matchAll(/<rect x="(\S+)" y="(\S+)" width="30" height="30"/g)].map((tile) => tile.slice(1).map(Number));

  it("wraps a long flow into several lines", () => {
    const rowsOf = (svg: string): number => new Set(tilesIn(svg).map(([, y]) => y)).size;
    expect([rowsOf(draw(chain(3))), tilesIn(draw(chain(14))).length]).toEqual([1, 14]);
    expect(rowsOf(draw(chain(14)))).toBeGreaterThan(1);
  });

  it("draws links with right angles", () => {
    const svg = draw("agents: { a: {}, b: {}, c: {} }\nswarm: { flow: a >> (b | c) }\n");
    const links = [...svg.matchAll(/<path d="(M[^"Z]+)" fill="none"/g)].map(([, path = ""]) =>
      path.split(/[MLQ]/).slice(1),
    );
    expect(links).toHaveLength(2);
    for (const points of links) {
      expect(points.length).toBeGreaterThan(2);
      for (const [index, point] of points.slice(1).entries()) {
        const [start = [], end = []] = [points[index], point].map((pair = "") => pair.trim().split(" ").map(Number));
        expect(start[0] === end[0] || start[1] === end[1]).toBe(true);
      }
    }
  });

  it("flags the first agent of a handoff swarm and the lead of a team", () => {
    const flags = (mode: string): string[] =>
      textsIn(draw(`agents: { a: {}, b: {} }\nswarm: { type: ${mode}, agents: [a, b] }\n`)).filter(
        (word) => word === "Start" || word === "Lead",
      );
    expect([flags("handoff"), flags("team")]).toEqual([["Start"], ["Lead"]]);
  });

  it("draws what is folded as one card, unless members are pointed out", () => {
    const layout: Layout = { ...emptyLayout, folded: ["pair"] };
    expect(textsIn(draw(flow, layout))).toEqual(expect.arrayContaining(["pair", "2 agents"]));
    expect(textsIn(draw(flow, layout))).not.toContain("scout");
    const marked = exportSvg({ ...readSource(flow), layout }, { marks: new Map([["scout", "changed"]]) }).text;
    expect(textsIn(marked)).toEqual(expect.arrayContaining(["scout", "changed"]));
  });
});

describe("texts in a picture", () => {
  const named = (name: string): string =>
    draw(`agents: { ${JSON.stringify(name)}: {} }\nswarm: { type: team, agents: [${JSON.stringify(name)}] }\n`);

  it.each<[name: string, written: string]>([
    ["<b>&'\"", "&lt;b&gt;&amp;&#39;&quot;"],
    ["a\u0085b", "a b"],
    ["研究者", "研究者"],
  ])("of %j are escaped", (name, written) => {
    expect(textsIn(named(name))).toContain(written);
  });

  it("end with an ellipsis where they are too long, sooner where their signs are wide", () => {
    const shortened = (name: string): number => (textsIn(named(name))[1] ?? "").length;
    const [narrow, capital, wide] = [shortened("n".repeat(90)), shortened("M".repeat(90)), shortened("研".repeat(90))];
    expect(textsIn(named("n".repeat(90)))[1]).toMatch(/^n+…$/);
    expect(narrow).toBeGreaterThan(capital);
    expect(capital).toBeGreaterThan(wide);
    expect(shortened("short")).toBe("short".length);
  });

  it("property: make well-formed XML of every name", () => {
    const anyName = fc.string({ unit: anyCodePoint, minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(anyName, (name) => {
        const svg = exportSvg({ text: "", flow: { ...readSource("").flow, name } }).text;
        const title = /<title>(.*)<\/title>/s.exec(svg)?.[1] ?? "<";
        expect(title).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)|[\p{Cc}\p{Cs}\ufffe\uffff]/u);
      }),
    );
  });
});

describe("notes in a picture", () => {
  const linesOf = (words: string, width?: number, height?: number): string[] =>
    textsIn(draw("", withNote(words, width, height)));

  it("are broken into lines at words and line ends", () => {
    expect(linesOf("one two\r\nthree")).toEqual(["one two", "three"]);
    expect(linesOf("word ".repeat(12).trim(), 120, 400).length).toBeGreaterThan(2);
    for (const line of linesOf("word ".repeat(12).trim(), 120, 400)) expect(line).toMatch(/^word(?: word)*$/);
  });

  it("end with an ellipsis where there is no room for all lines", () => {
    expect(linesOf("a\nb\nc\nd\ne\nf", 200, 80)).toEqual(["a", "b", "c …"]);
    expect(linesOf("a\nb\nc", 200, 80)).toEqual(["a", "b", "c"]);
    expect(linesOf("a\nb", 200, 10)).toEqual(["a …"]);
  });
});

describe("pictures to compare", () => {
  const chainOf = (count: number): string =>
    `swarm: { flow: ${Array.from({ length: count }, (_, index) => `s${index}`).join(" >> ")} }`;
  const view = { width: 900, height: 250 };
  const sizeOf = (svg: string | undefined): number[] =>
    (/ viewBox="([^"]+)"/.exec(svg ?? "")?.[1] ?? "").split(" ").slice(2).map(Number);
  const cardHeights = (svg: string | undefined): Set<number> =>
    new Set([...(svg ?? "").matchAll(/width="208" height="(\d+)"/g)].map(([, height]) => Number(height)));

  it("have one size, and cards of one size", () => {
    const sources = [chainOf(3), chainOf(9)].map((text) => readSource(text));
    expect(sources.map((source) => [...cardHeights(exportSvg(source, { view }).text)])).toEqual([[148], [92]]);
    const [short, long] = drawSvgs(sources, { view });
    expect(sizeOf(short)).toEqual(sizeOf(long));
    expect([...cardHeights(short)]).toEqual([92]);
    expect(cardHeights(long)).toEqual(cardHeights(short));
  });

  it("keep the density of positions made by hand", () => {
    const layout: Layout = { ...emptyLayout, pins: { s0: { dx: 8, dy: 0 } } };
    const [short] = drawSvgs([{ ...readSource(chainOf(3)), layout }, readSource(chainOf(9))], { view });
    expect([...cardHeights(short)]).toEqual([148]);
  });
});
