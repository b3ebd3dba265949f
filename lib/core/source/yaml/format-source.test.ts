import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCare, anyFlow, plain, takeCare } from "../read/source.arbitrary";
import { readSource } from "../read-source";
import { writeSource } from "../write-source";
import { formatSource } from "./format-source";

const format = (text: string): string => {
  const result = formatSource(text);
  return result.ok ? result.text : result.message;
};

describe("formatSource", () => {
  it("tidies indentation and spaces, and keeps comments, quotes and order", () => {
    const text = `# top
agents:
    b:   { model: 'demo:x',tools: [ calculator ] }   # why


    # about a
    a:
        model: "demo:x"
swarm: {flow: b >> a}
`;
    expect(format(text)).toBe(`# top
agents:
  b: { model: 'demo:x', tools: [ calculator ] } # why

  # about a
  a:
    model: "demo:x"
swarm: { flow: b >> a }
`);
  });

  it.each([
    ["agents: [", "it is not valid YAML"],
    ["agents: *none", "it is not valid YAML"],
  ])("refuses what it cannot read: %s", (text, message) => expect(format(text)).toContain(message));

  it("keeps Windows line ends", () => {
    expect(format("agents:\r\n    a: {}\r\n")).toBe("agents:\r\n  a: {}\r\n");
  });

  it("property: keeps meaning and comments, and changes nothing the second time", () => {
    let formatted = 0;
    fc.assert(
      fc.property(anyFlow, anyCare, (flow, care) => {
        const text = takeCare(writeSource(flow), care);
        const result = formatSource(text);
        if (!result.ok) return;
        formatted++;
        expect(plain(readSource(result.text).flow)).toEqual(plain(readSource(text).flow));
        expect(format(result.text)).toBe(result.text);
        const notes = (source: string) => source.match(/# note \d+/g)?.toSorted();
        expect(notes(result.text)).toEqual(notes(text));
      }),
      { numRuns: 10, endOnFailure: true },
    );
    expect(formatted).toBeGreaterThan(5);
  });
});
