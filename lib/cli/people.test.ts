import { describe, expect, it } from "vitest";
import type { PersonQuestion } from "@/lib/core/run/people";
import { describeQuestion } from "./people";

const question: PersonQuestion = {
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
