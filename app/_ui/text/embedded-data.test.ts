import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { findEmbeddedData, markData, splitMarks, toPicture } from "./embedded-data";

const encode = (bytes: number): string =>
  Buffer.from(Uint8Array.from({ length: bytes }, (_, place) => (place * 131 + 17) % 256)).toString("base64");

describe("findEmbeddedData", () => {
  test("a data URL at any position", () => {
    const url = `data:image/png;base64,${encode(100)}`;
    for (const text of [url, `see ![x](${url}) there`, `{"a":"${url}"}`, `(${url})`]) {
      const [data, ...more] = findEmbeddedData(text);
      expect(more).toEqual([]);
      expect(data).toMatchObject({ type: "image/png", bytes: 100, isUrl: true });
      expect(text.slice(data?.start, data?.end)).toBe(url);
    }
  });

  test("with parameters, without a type, with the alphabet of URLs, beside another one", () => {
    const data = "AZaz09-_".repeat(20);
    const text = `data:text/html;charset=utf-8;base64,${data} data:;base64,${data}==`;
    expect(
      findEmbeddedData(text).map(({ type, end: to, start: from }) => [type, text.slice(from, to).slice(-2)]),
    ).toEqual([
      ["text/html", "-_"],
      ["text/plain", "=="],
    ]);
  });

  test("a long run of base64, its kind told by how it begins", () => {
    const png = `iVBORw0KGgo${encode(600)}`;
    expect(findEmbeddedData(`a ${encode(600)} b ${png}`).map(({ type, isUrl }) => [type, isUrl])).toEqual([
      ["base64", false],
      ["image/png", false],
    ]);
  });

  test.each([
    ["a short one", "aB3".repeat(100)],
    ["one letter, many times", "a".repeat(100_000)],
    ["digits", "0123456789".repeat(1000)],
    ["a checksum", "deadbeef01".repeat(200)],
    ["prose", "The loom has 51 threads, and Ada counted them. ".repeat(500)],
    ["an SVG that is no base64", `data:image/svg+xml,${"%3Csvg%3E".repeat(100)}`],
    ["a short data URL", "data:image/png;base64,AAAA"],
  ])("nothing in %s", (_, text) => {
    expect(findEmbeddedData(text)).toEqual([]);
  });

  test("property: finds a run of every length at every place, and never twice", () => {
    const gap = fc.stringMatching(/^[ ,.a-z"()\n]{0,80}$/);
    const run = fc.integer({ min: 48, max: 2000 }).map((bytes) => `data:image/gif;base64,${encode(bytes)}`);
    fc.assert(
      fc.property(fc.array(fc.tuple(gap, run), { maxLength: 5 }), gap, (parts, last) => {
        const text = parts.map(([before, data]) => `${before} ${data} `).join("") + last;
        expect(findEmbeddedData(text).map(({ start: from, end: to }) => text.slice(from, to))).toEqual(
          parts.map(([, data]) => data),
        );
      }),
    );
  });

  test("looks at a text no more than a few times, however it is made", () => {
    const run = "a".repeat(64);
    for (const length of [1, 63, 64, 65, 511, 512, 513, 100_000])
      expect(countLooks("a".repeat(length))).toBeLessThanOrEqual(2 * length + 2);
    for (const piece of [`${run.slice(1)} `, `${run} `, `${run};base64,`, `data:;base64,${run}`, "data:", ";base64,"]) {
      const text = piece.repeat(1000);
      expect(countLooks(text)).toBeLessThanOrEqual(2 * text.length);
    }
    const prose = "prose and more of it. ".repeat(5000);
    expect(countLooks(prose)).toBeLessThan(prose.length / 5);
  });
});

/** How often the search looks at a character of a text. */
function countLooks(text: string): number {
  const look = vi.spyOn(String.prototype, "charCodeAt");
  findEmbeddedData(text);
  const looked = look.mock.calls.length;
  look.mockRestore();
  return looked;
}

describe("markData", () => {
  const url = `data:image/png;base64,${encode(200)}`;

  test("puts marks in the place of data, and pieces give it back", () => {
    const marked = markData(`before ${url} after`);
    expect(marked.text.length).toBeLessThan(30);
    expect(splitMarks(marked.text, marked)).toEqual(["before ", marked.data[0], " after"]);
  });

  test("a text without data is itself", () => {
    const marked = markData("nothing here");
    expect(marked.text).toBe("nothing here");
    expect(splitMarks(marked.text, marked)).toEqual(["nothing here"]);
  });

  test("marks that a text brings along stay text", () => {
    const marked = markData("\uE0007\uE001 and \uE000x\uE001");
    expect(splitMarks(marked.text, marked).join("")).toBe(marked.original);
  });
});

describe("toPicture", () => {
  const pictureOf = (text: string): string | null => {
    const [data] = findEmbeddedData(text);
    return data ? toPicture(data, text) : "nothing found";
  };

  test("only pixels, and not too many", () => {
    const data = encode(300);
    for (const type of ["png", "jpeg", "gif", "webp"])
      expect(pictureOf(`data:image/${type};base64,${data}`)).toBe(`data:image/${type};base64,${data}`);
    expect(pictureOf(`data:image/svg+xml;base64,${data}`)).toBeNull();
    expect(pictureOf(`data:text/html;base64,${data}`)).toBeNull();
    expect(pictureOf(`data:image/png;base64,${encode(1_000_001)}`)).toBeNull();
    expect(pictureOf(`iVBORw0KGgo${encode(600)}`)).toBeNull();
  });
});
