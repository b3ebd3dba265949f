import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCodePoint } from "../../../flow/code-point.arbitrary";
import { Findings, importLimits, keepAsComment, lossesOf } from "./imported";

const text = "abcdefghijklmnopqrstuvwxyz";
const linesOf = (findings: Findings): string[] => keepAsComment(findings).split("\n");

describe("findings of an import", () => {
  it("are problems by their weight: errors, warnings and infos, with a range of their own", () => {
    const findings = new Findings(text);
    const range = { from: 1, to: 2 };
    findings.refuse("no-agents", "none");
    findings.lose("unsupported", "lost", range);
    findings.note("name-taken", "noted", range);
    range.from = 0;
    expect(findings.problems).toEqual([
      { code: "no-agents", severity: "error", message: "none" },
      { code: "unsupported", severity: "warning", message: "lost", range: { from: 1, to: 2 } },
      { code: "name-taken", severity: "info", message: "noted", range: { from: 1, to: 2 } },
    ]);
  });

  it("are at most a thousand problems", () => {
    const findings = new Findings(text);
    for (let i = 0; i < 1100; i++) findings.lose("unsupported", `number ${i}`);
    expect([findings.problems.length, findings.problems.at(-1)?.message]).toEqual([1000, "number 999"]);
  });

  it("keep the text at a range, or the text that is given", () => {
    const findings = new Findings(text);
    findings.quarantine("a letter", { from: 2, to: 4 });
    findings.quarantine("a key", null, { text: "k: v" });
    findings.quarantine("nothing", null);
    expect(findings.quarantined).toEqual([
      { description: "a letter", effect: "note", text: "cd", range: { from: 2, to: 4 } },
      { description: "a key", effect: "note", text: "k: v" },
      { description: "nothing", effect: "note", text: "" },
    ]);
  });

  it("list a loss once for each place, and notes as often as they come", () => {
    const findings = new Findings(text);
    for (const from of [1, 1, 5]) findings.quarantine("a tool", { from, to: 6 }, { effect: "lost" });
    for (const from of [1, 1]) findings.quarantine("a call", { from, to: 6 });
    expect(findings.quarantined.map(({ description }) => description)).toEqual([
      "a tool",
      "a tool",
      "a call",
      "a call",
    ]);
  });

  it("list losses where there is no room for notes any more, and count what is left out", () => {
    const findings = new Findings(text);
    for (let i = 0; i < importLimits.quarantined + 5; i++) findings.quarantine(`note ${i}`, null);
    for (let i = 0; i < importLimits.quarantined + 3; i++) findings.quarantine(`loss ${i}`, null, { effect: "lost" });
    expect(findings.quarantined.length).toBe(2 * importLimits.quarantined);
    expect(findings.omittedCount).toBe(5 + 3);
    expect(linesOf(findings).at(-2)).toBe("# 8 more of the imported text did not fit here.");
  });

  it("turn from a note into a loss where they stay, or come in when they were only prepared", () => {
    const findings = new Findings(text);
    const listed = findings.quarantine("function a", { from: 0, to: 1 });
    const prepared = findings.prepare("function b", { from: 1, to: 2 });
    expect(findings.quarantined).toEqual([listed]);
    for (const entry of [listed, prepared, prepared]) findings.markLost(entry);
    expect(findings.quarantined).toEqual([
      { ...listed, effect: "lost" },
      { ...prepared, effect: "lost" },
    ]);
  });

  it("are losses when they are warnings or lost texts, and only then", () => {
    const findings = new Findings(text);
    findings.refuse("no-agents", "an error");
    findings.note("name-taken", "a note");
    findings.lose("unsupported", "a warning", { from: 0, to: 1 });
    findings.quarantine("a comment", { from: 1, to: 2 });
    findings.quarantine("a tool", { from: 2, to: 3 }, { effect: "lost" });
    findings.quarantine("a key", null, { effect: "lost" });
    const losses = lossesOf(findings.toImported("python", "source")).map(({ message, range }) => [message, range]);
    expect(losses).toEqual([
      ["a warning", { from: 0, to: 1 }],
      ["a tool", { from: 2, to: 3 }],
      ["a key", undefined],
    ]);
  });
});

describe("texts that are kept", () => {
  it.each<[written: string, kept: string]>([
    [`api_key="sk-123456789012"`, `api_key="(key left out)"`],
    [`API-KEY: abcd1234, model: x`, `API-KEY: "(key left out)", model: x`],
    [`client(token='t0ken-value')`, `client(token="(key left out)")`],
    [`{"password": "hunter22"}`, `{"password": "(key left out)"}`],
    [`Authorization: Bearer`, `Authorization: "(key left out)"`],
    [`call("ghp_abcdefghijkl")`, `call(""(key left out)"")`],
    [`my_secret_name = "abcd"`, `my_secret_name = "(key left out)"`],
    [`task-sk-1`, `task-sk-1`],
    [`max_tokens=9`, `max_tokens=9`],
    [`token = x`, `token = x`],
  ])("%j hold no keys", (written, kept) => {
    const findings = new Findings(written);
    findings.quarantine("a text", { from: 0, to: written.length });
    expect(findings.quarantined[0]?.text).toBe(kept);
  });

  it("are clipped to a bound before keys are looked for", () => {
    const long = "x".repeat(importLimits.quarantinedLength + 1);
    const findings = new Findings(long);
    findings.quarantine("a text", { from: 0, to: long.length });
    findings.quarantine("a shorter one", { from: 1, to: long.length });
    expect(findings.quarantined.map((entry) => entry.text.length)).toEqual([
      importLimits.quarantinedLength + 1,
      importLimits.quarantinedLength,
    ]);
    expect(findings.quarantined[0]?.text.endsWith("x…")).toBe(true);
  });

  it("are no comment where there are none", () => {
    const findings = new Findings(text);
    findings.lose("unsupported", "lost");
    expect(keepAsComment(findings)).toBe("");
  });

  it("are a comment with a heading, a description for each, and their lines", () => {
    const findings = new Findings(text);
    findings.quarantine("function f", null, { text: "def f():\n    pass\n" });
    findings.quarantine("nothing", null);
    expect(linesOf(findings)).toEqual([
      "",
      "# Kept from the import. None of this is part of the flow, and nothing of it runs.",
      "#",
      "# function f:",
      "#   def f():",
      "#       pass",
      "#",
      "# nothing:",
      "#",
      "",
    ]);
  });

  it("beyond the bound of a comment are only counted", () => {
    const findings = new Findings(text);
    const big = "y".repeat(importLimits.quarantinedLength);
    for (let i = 0; i < 40; i++) findings.quarantine("big", null, { text: big });
    const comment = keepAsComment(findings);
    expect(comment.length).toBeLessThan(importLimits.commentLength + 2000);
    expect(comment.trim().split("\n").at(-1)).toMatch(/^# \d+ more of the imported text did not fit here\.$/);
  });

  it("property: stay comments, whatever they hold", () => {
    const anyText = fc.string({ unit: anyCodePoint, maxLength: 60 });
    fc.assert(
      fc.property(anyText, anyText, (description, kept) => {
        const findings = new Findings(text);
        findings.quarantine(description, null, { text: kept });
        const lines = keepAsComment(findings).split(/\r\n|[\n\r\u0085\u2028\u2029]/);
        expect(lines.every((line) => line === "" || line.startsWith("#"))).toBe(true);
        expect(lines.join("")).not.toMatch(/[^\P{Cc}\t]|[\ufeff\ufffe\uffff]/u);
      }),
    );
  });
});
