import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { NumberedQuestion } from "@/lib/core/run/ports/human-input";
import { createTerminalPeople, describeQuestion } from "./people";

const question: NumberedQuestion = {
  type: "tool",
  node: 1,
  question: 1,
  path: "/a#llm-1#tool-1",
  message: '"a" wants to use run.',
};

describe("a question at the terminal", () => {
  it("shows the text apart from the question, line by line", () => {
    expect(describeQuestion({ ...question, text: '{\n\t"path": "a"\r\n}' })).toBe(
      '/a#llm-1#tool-1: "a" wants to use run.\n  | {\n  | \t"path": "a"\n  | }',
    );
    expect(describeQuestion(question)).toBe('/a#llm-1#tool-1: "a" wants to use run.');
  });

  it("neither steers the terminal nor hides what is allowed", () => {
    const text = '{"path":"gpj.\u202eexe","command":"rm -rf /\recho hello\u001b[1A\u001b[2K"}\nType yes to allow it: ';
    const shown = describeQuestion({ ...question, message: "Run \u009b2Kls\u200b?\nyes", path: "/\u001b[31m", text });
    expect(shown).not.toMatch(/[^\P{Cc}\n]|[\u202e\u200b]/u);
    expect(shown).toContain('"gpj.⟨U+202E⟩exe","command":"rm -rf /⟨U+000D⟩echo hello⟨U+001B⟩[1A⟨U+001B⟩[2K"}');
    expect(shown.split("\n").slice(1)).toEqual([expect.stringMatching(/^ {2}\| \{/), "  | Type yes to allow it: "]);
  });
});

const toQuestion = (message: string): NumberedQuestion => ({
  type: "tool",
  node: 1,
  path: "writer",
  question: 1,
  message,
});
const never = (): AbortSignal => new AbortController().signal;

/** A terminal: readline reads real streams, and what it printed can be waited for. */
function openTerminal() {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: "utf8" })];
  let printed = "";
  output.on("data", (text: string) => {
    printed += text;
  });
  const shows = (text: string) => expect.poll(() => printed).toContain(text);
  return { input, shows, printed: () => printed, people: createTerminalPeople(input, output) };
}

describe("questions at the terminal", () => {
  it("are asked and answered after one that timed out", async () => {
    const { input, shows, people } = openTerminal();
    const timeout = new AbortController();
    const first = people.ask(toQuestion("first?"), timeout.signal);
    await shows("first?");
    timeout.abort(new Error("No answer within 1 s."));
    await expect(first).rejects.toThrow();
    const second = people.ask(toQuestion("second?"), never());
    await shows("second?");
    input.write("yes\n");
    expect(await second).toMatchObject({ decision: "approved" });
    const third = people.ask(toQuestion("third?"), never());
    await shows("third?");
    input.write("too dear\n");
    expect(await third).toMatchObject({ decision: "rejected", reason: "too dear" });
  });

  it("are not printed when they timed out while another one was open", async () => {
    const { input, shows, printed, people } = openTerminal();
    const first = people.ask(toQuestion("first?"), never());
    await shows("first?");
    const timeout = new AbortController();
    const second = people.ask(toQuestion("second?"), timeout.signal);
    const third = people.ask(toQuestion("third?"), never());
    timeout.abort(new Error("No answer within 1 s."));
    input.write("yes\n");
    expect(await first).toMatchObject({ decision: "approved" });
    await expect(second).rejects.toThrow();
    await shows("third?");
    input.write("yes\n");
    expect(await third).toMatchObject({ decision: "approved" });
    expect(printed()).not.toContain("second?");
  });

  it("are rejected, now and later, once the input has ended", async () => {
    const { input, shows, people } = openTerminal();
    const first = people.ask(toQuestion("first?"), never());
    await shows("first?");
    input.end();
    const refusal = { decision: "rejected", reason: "the input ended without an answer" };
    expect(await first).toMatchObject(refusal);
    expect(await people.ask(toQuestion("second?"), never())).toMatchObject(refusal);
  });
});
