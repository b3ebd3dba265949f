import { describe, expect, it } from "vitest";
import { applyChanges } from "../../flow/text-change";
import { readSource } from "../read-source";

const offer = { tools: ["calculator", "http_request", "file_write"] };
const problemsOf = (text: string) =>
  readSource(text, offer).problems.map(({ code, severity, range, fix, message }) => ({
    code,
    severity,
    message,
    at: range && text.slice(range.from, range.to),
    fixed: fix && applyChanges(text, fix.changes),
  }));

const agent = (fields: string) => `agents:\n  a: { model: "demo:a", ${fields} }\nswarm: { flow: a }\n`;

describe("approval for a tool that the agent cannot call", () => {
  it("is an error at the name, with the nearest tool as its fix", () => {
    const text = agent("tools: [http_request, calculator], needs_approval: [calculator, http_requests]");
    expect(problemsOf(text)).toEqual([
      {
        code: "unknown-tool",
        severity: "error",
        at: "http_requests",
        message: expect.stringContaining('Did you mean "http_request"?'),
        fixed: text.replace("http_requests", "http_request"),
      },
    ]);
  });

  it("is an error for a tool that exists and was not given to the agent", () => {
    const [problem, ...more] = problemsOf(agent("tools: [calculator], needs_approval: [file_write]"));
    expect(more).toEqual([]);
    expect(problem).toMatchObject({ code: "unknown-tool", severity: "error", at: "file_write", fixed: undefined });
    expect(problem?.message).toContain("Add it to `tools:`");
  });

  it("is found in a list of lines, quoted, and by name without knowing what tools there are", () => {
    const text = `agents:\n  a:\n    model: "demo:a"\n    needs_approval:\n      - "calculater"\n    tools:\n      - calculator\nswarm: { flow: a }\n`;
    const [problem] = readSource(text).problems;
    expect(problem?.range && text.slice(problem.range.from, problem.range.to)).toBe('"calculater"');
    expect(problem?.fix && problemsOf(applyChanges(text, problem.fix.changes))).toEqual([]);
  });

  it("also gives the nearest name for a tool that does not exist", () => {
    const text = agent("tools: [calculater]");
    expect(problemsOf(text)).toMatchObject([{ at: "calculater", fixed: agent("tools: [calculator]") }]);
  });
});

describe("approval for a tool of the engine", () => {
  const swarm = (type: string, approved: string, more = "") =>
    `${more}agents:\n  lead: { model: "demo:a", needs_approval: [${approved}] }\n  "the worker": { model: "demo:a" }\nswarm: { type: ${type}, agents: [lead, the worker]${type === "handoff" ? ", edges: [[lead, the worker]]" : ""} }\n`;

  it.each([
    ["handoff", "transfer_to_the_worker"],
    ["team", "delegate_to_the_worker"],
    ["orchestrate", "spawn_agent"],
    ["orchestrate", "list_agents, get_agent_result, await_agents"],
  ])("is no problem where a %s swarm gives the agent %s", (type, approved) => {
    expect(problemsOf(swarm(type, approved))).toEqual([]);
  });

  it.each([
    ["team", "transfer_to_the_worker"],
    ["handoff", "delegate_to_the_worker"],
    ["handoff", "transfer_to_lead"],
    ["team", "spawn_agent"],
  ])("is an error where a %s swarm does not give the agent %s", (type, approved) => {
    expect(problemsOf(swarm(type, approved))).toMatchObject([{ code: "unknown-tool", at: approved }]);
  });

  it("is an error for a handoff of Orbiter, which knows no such tool", () => {
    const text = swarm("handoff", "transfer_to_the_worker", "compat: orbiter\n");
    expect(problemsOf(text)).toMatchObject([{ code: "unknown-tool", severity: "error" }]);
  });
});
