import { describe, expect, it } from "vitest";
import type { Problem, ProblemCode } from "../flow/problem";
import { errorsOf } from "../flow/problem";
import { nearest } from "../flow/suggest-name";
import { readSource } from "../source/read-source";
import { limitProblems } from "./limit-problems";

const problem = (code: ProblemCode, message: string = code): Problem => ({ code, message, severity: "error" });
const names = Array.from({ length: 40_000 }, (_, nth) => `unknown_${nth}`);
const agent = `agents:\n  a: { model: "demo:a" }\n`;

describe("limitProblems", () => {
  it("keeps the first 200 of each code, in order, and tells of the others", () => {
    const problems = [...Array.from({ length: 300 }, (_, nth) => problem("unknown-name", `${nth}.`)), problem("cycle")];
    const limited = limitProblems(problems);
    expect(limited).toHaveLength(201);
    expect(limited.slice(198).map(({ message }) => message)).toEqual([
      "198.",
      "199. At most 200 problems of this kind are listed.",
      "cycle",
    ]);
    expect(limitProblems(limited)).toEqual(limited);
  });

  it("keeps all problems that are joined into one", () => {
    expect(limitProblems(Array.from({ length: 300 }, () => problem("missing-key")))).toHaveLength(300);
  });
});

describe("a declaration with more than 10,000 members", () => {
  const many = Array.from({ length: 10_001 }, () => "a").join(", ");
  it.each([
    ["a group", `${agent}groups:\n  g: { agents: [${many}] }\nswarm: { type: workflow, flow: a >> g }`],
    ["a chain", `${agent}swarm: { type: workflow, flow: "${many.replaceAll(", ", " >> ")}" }`],
  ])("%s does not run, for that reason", (_, source) => {
    const mistakes = errorsOf(readSource(source).problems).filter(({ code }) => code === "too-large");
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]?.message).toContain("at most 10000 members here, found 10001");
  });
});

describe("a file with tens of thousands of mistakes", () => {
  it.each([
    ["a chain", `${agent}swarm: { type: workflow, flow: "a >> ${names.join(" >> ")}" }`],
    ["a group", `${agent}groups:\n  g: { agents: [${names.join()}] }\nswarm: { type: workflow, flow: a >> g }`],
    ["a handoff", `${agent}swarm: { type: handoff, agents: [a, ${names.join()}] }`],
    ["tools", `agents:\n  a: { model: "demo:a", tools: [${names.join()}] }\nswarm: { type: workflow, flow: a }`],
  ])("%s has a bounded number of problems", (_, source) => {
    const { problems } = readSource(source, { tools: ["calculator"] });
    expect(errorsOf(problems).filter(({ code }) => code !== "too-large")).toHaveLength(200);
    expect(problems.length).toBeLessThan(500);
    expect(problems.every(({ range }) => range !== undefined)).toBe(true);
  });

  it("suggests nothing for a name that no one has mistyped", () => {
    const long = "x".repeat(100_000);
    expect(nearest(long, [`${long}y`])).toBeNull();
  });
});
