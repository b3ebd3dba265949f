import { afterEach, describe, expect, it, vi } from "vitest";
import { writeJson, writeLine } from "./output";

const text = "done\u001b]52;c;cm0gLXJmIC8=\u0007 \u202egpj.exe\u009b2J\nnext\tline";
afterEach(() => vi.restoreAllMocks());

/** What is written to standard output while it is, or is not, a terminal. */
async function written(isTerminal: boolean, work: () => Promise<void>): Promise<string> {
  const chunks: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    chunks.push(String(chunk));
    return true;
  });
  const { isTTY } = process.stdout;
  process.stdout.isTTY = isTerminal;
  await work();
  process.stdout.isTTY = isTTY;
  write.mockRestore();
  return chunks.join("");
}

describe("standard output", () => {
  it("gets a text as it is, for programs that read it", async () => {
    expect(await written(false, () => writeLine(text))).toBe(`${text}\n`);
    expect(await written(false, () => writeJson({ text }))).toBe(`${JSON.stringify({ text })}\n`);
  });

  it("shows what would steer a terminal instead of doing it", async () => {
    const shown = await written(true, () => writeLine(text));
    expect(shown).toBe("done⟨U+001B⟩]52;c;cm0gLXJmIC8=⟨U+0007⟩ ⟨U+202E⟩gpj.exe⟨U+009B⟩2J\nnext\tline\n");
  });

  it("writes the same JSON to a terminal, in characters that can be seen", async () => {
    const shown = await written(true, () => writeJson({ text, tag: "\u{e0041}" }));
    expect(JSON.parse(shown)).toEqual({ text, tag: "\u{e0041}" });
    expect(shown).toContain("\\u202egpj.exe\\u009b2J");
    expect(shown).toContain("\\udb40\\udc41");
    expect(shown).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  });
});
