import { describe, expect, test } from "vitest";
import { readSource } from "../../source/read-source";
import { agents, refuse, reply, runFile, sentTo } from "./flow-file.arbitrary";

const answer = { script: ({ agent }: { agent: string }) => reply(agent.toUpperCase()) };
const prior = [{ role: "user" as const, content: "old" }];

describe("groups and nesting", () => {
  test("122: a program's own function joins a group's answers; the separator is ignored", async () => {
    const file = `${agents("a", "b")}\ngroups: { g: { flow: "b | a", separator: " | " } }\nswarm: { flow: g }\n`;
    const aggregate = { g: (outputs: readonly string[]) => outputs.toSorted().join("+") };
    expect((await runFile(file, { ...answer, options: { aggregate } })).last.output.text).toBe("A+B");
    expect((await runFile(file, answer)).last.output.text).toBe("B | A");
  });

  test("124: a group may go on without a member that failed", async () => {
    const file = `${agents("a", "b")}\ngroups: { g: { flow: "a | b", on_error: continue } }\nswarm: { flow: g }\n`;
    const ran = await runFile(file, { script: { a: [refuse], b: [reply("B", { delayMs: 10 })] } });
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "B" } });
    const none = await runFile(file, { script: { a: [refuse], b: [refuse] } });
    expect(none.last.status).toBe("FAILED");
  });

  test("126: a member that occurs in a group twice is refused", () => {
    const file = `${agents("a")}\ngroups: { g: { flow: "a | a" } }\nswarm: { flow: g }\n`;
    expect(readSource(file).problems.map(({ code }) => code)).toContain("duplicate-name");
  });

  test("127, 128: a group in a group, a swarm in a group, a group in a swarm", async () => {
    const file = `${agents("a", "b", "c")}\ngroups: { inner: { flow: "a | b" }, outer: { flow: "inner | s" } }\nswarms: { s: { flow: c } }\nswarm: { flow: outer }\n`;
    const ran = await runFile(file, answer);
    expect(ran.last.output.text).toBe("A\n\nB\n\nC");
    expect(ran.started.map(({ path }) => path)).toContain("outer/s/c");
  });

  test("129: a group alone is a flow", async () => {
    const file = `${agents("a", "b")}\ngroups: { g: { flow: "a | b" } }\nswarm: { flow: g }\n`;
    expect((await runFile(file, answer)).last.output.text).toBe("A\n\nB");
  });

  const nested = `${agents("o", "i", "p")}\nswarms: { n: { flow: i } }\nswarm: { flow: o >> n >> p }\n`;

  test("133: a nested swarm sees only its input; the agents around it see the history", async () => {
    const ran = await runFile(nested, { ...answer, messages: prior });
    expect([sentTo(ran, "o"), sentTo(ran, "i"), sentTo(ran, "p")]).toEqual([
      [["S:I am o", "U:old", "U:Q"]],
      [["S:I am i", "U:O"]],
      [["S:I am p", "U:old", "U:I"]],
    ]);
  });

  test("134: a handoff swarm is a node like any other", async () => {
    const file = nested
      .replace("{ flow: i }", "{ type: handoff, agents: [i, j], edges: [[i, j]] }")
      .replace("agents:\n", 'agents:\n  j: { model: "scripted:m" }\n');
    const ran = await runFile(file, { script: { o: [reply("O")], i: [reply("j")], j: [reply("J")], p: [reply("P")] } });
    expect(sentTo(ran, "p")[0]?.at(-1)).toBe("U:J");
    expect(ran.started.map(({ path }) => path)).toContain("n#handoff-1");
  });

  test("135: a failure inside names the step, and the node round it", async () => {
    const ran = await runFile(nested, { script: { o: [reply("O")], i: [refuse] } });
    expect(ran.last).toMatchObject({ status: "FAILED", output: { text: "O" }, error: { path: "n/i#llm-1" } });
    expect(ran.end("n")).toMatchObject({ status: "FAILED", error: { path: "n/i#llm-1" } });
  });

  test("136: a swarm is put into a flow by its name alone", async () => {
    expect((await runFile(nested, answer)).last.output.text).toBe("P");
  });

  test("137, 138: members of groups and of nested swarms stream, each with its path", async () => {
    const file = `${agents("a", "b", "c")}\ngroups: { g: { flow: "a | b" } }\nswarms: { s: { flow: c } }\nswarm: { flow: g >> s }\n`;
    const ran = await runFile(file, answer);
    const paths = ran.events.flatMap((event) =>
      event.type === "text.appended" ? [ran.started.find(({ id }) => id === event.id)?.path] : [],
    );
    expect(paths).toEqual(["g/a#llm-1", "g/b#llm-1", "s/c#llm-1"]);
  });
});
