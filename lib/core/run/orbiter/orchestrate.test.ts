import { describe, expect, test } from "vitest";
import type { ScriptedTurn } from "../testing/scripted-model";
import { agents, call, refuse, reply, runFile, sentTo } from "./flow-file.arbitrary";

const file = `${agents("lead", "worker")}\nswarm: { type: orchestrate, agents: [lead, worker], max_concurrent: 2 }\n`;
const spawn = (count: number, agent = "worker"): ScriptedTurn => ({
  calls: Array.from({ length: count }, (_, i) => ({ name: "spawn_agent", arguments: { purpose: `p${i + 1}`, agent } })),
});

describe("orchestrate", () => {
  test("spawning returns at once; agents work in the background, so many at a time", async () => {
    const ran = await runFile(file, {
      script: ({ agent }, turn) =>
        agent === "lead" ? ([spawn(4), reply("on my way")][turn] ?? {}) : reply("W", { delayMs: 1000 }),
    });
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "on my way" } });
    // Four of them, two at a time.
    expect(ran.clock.now()).toBe(2000);
    expect(sentTo(ran, "lead")[1]?.at(-1)).toBe('T:{"id":"agent-4","agent":"worker","status":"waiting"}');
    const starts = ran.started.filter(({ name }) => name === "worker");
    expect(starts.map(({ path, at }) => [path, at])).toEqual([
      ["worker#spawn-1", 0],
      ["worker#spawn-2", 0],
      ["worker#spawn-3", 1000],
      ["worker#spawn-4", 1000],
    ]);
  });

  test("they outlive the lead's answer; the run ends when all have ended", async () => {
    const ran = await runFile(file, {
      script: { lead: [spawn(1), reply("done")], worker: [reply("late", { delayMs: 5000 })] },
    });
    expect(ran.end("lead").at).toBe(0);
    expect(ran.last.at).toBe(5000);
    expect(ran.last.usage.calls).toBe(3);
  });

  test("the lead waits, and reads results; a failed one is failed, not unfinished", async () => {
    const ran = await runFile(file, {
      script: {
        lead: [
          spawn(2),
          call("get_agent_result", { id: "agent-1" }),
          call("await_agents"),
          call("list_agents"),
          reply("fin"),
        ],
        worker: [reply("W1", { delayMs: 10 }), refuse],
      },
    });
    const told =
      sentTo(ran, "lead")
        .at(-1)
        ?.filter((text) => text.startsWith("T:")) ?? [];
    expect(told[2]).toContain("has not ended yet");
    expect(told[3]).toContain('"status":"done","result":"W1"');
    expect(told[3]).toContain('"status":"failed","error":"refused"');
    expect(told[4]).toContain('"status":"failed"');
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "fin" } });
  });

  test("203, 204: a spawned agent has the lead's model, a fresh conversation, and cannot spawn", async () => {
    const alone = `${agents("lead")}\nswarm: { type: orchestrate, agents: [lead] }\n`;
    const ran = await runFile(alone, {
      messages: [{ role: "user", content: "old" }],
      script: ({ tools }, turn) =>
        tools.length > 0
          ? turn === 0
            ? call("spawn_agent", { purpose: "dig", context: "here" })
            : reply("fin")
          : call("spawn_agent", { purpose: "more" }),
    });
    const child = ran.models.requests.find(({ tools }) => tools.length === 0);
    expect(child).toMatchObject({ model: "m" });
    expect(child?.messages.at(-1)).toEqual({ role: "user", content: "dig\n\nhere" });
    expect(child?.messages.some(({ content }) => content === "old")).toBe(false);
    const refused = ran.finished.find(({ error }) => error?.message.includes('There is no tool "spawn_agent"'));
    expect(refused?.status).toBe("FAILED");
    expect(ran.last.status).toBe("SUCCESS");
  });

  test("more agents than allowed, and unknown ids, are tool errors", async () => {
    const ran = await runFile(file.replace("max_concurrent: 2", "max_agents: 1"), {
      script: { lead: [spawn(2), call("await_agents", { ids: ["agent-9"] }), reply("fin")], worker: [reply("W")] },
    });
    const told = sentTo(ran, "lead").at(-1) ?? [];
    expect(told.join()).toContain("There are 1 agents already");
    expect(told.at(-1)).toContain('There is no agent "agent-9"');
  });

  test("when the lead fails, agents at work finish, and the output names what they produced", async () => {
    const ran = await runFile(file, {
      script: {
        lead: [{ ...spawn(3), text: "I began." }, refuse],
        worker: [reply("W1", { delayMs: 5000 }), reply("W2", { delayMs: 10 })],
      },
    });
    expect(ran.last).toMatchObject({
      status: "FAILED",
      error: { path: "lead#llm-2" },
      output: { text: "I began.\n\nagent-1 (worker, done): p1\nW1\n\nagent-2 (worker, done): p2\nW2" },
    });
    expect(ran.started.map(({ path }) => path)).not.toContain("worker#spawn-3");
    expect(ran.clock.now()).toBe(5000);
  });

  test("when the lead reaches its limit of model calls, agents at work finish", async () => {
    const ran = await runFile(file.replace('"I am lead" }', '"I am lead", max_steps: 1 }'), {
      script: { lead: [spawn(1)], worker: [reply("late", { delayMs: 5000 })] },
    });
    expect(ran.last).toMatchObject({ status: "FAILED", error: { code: "step-limit", path: "lead" } });
    expect(ran.last.output.text).toBe("agent-1 (worker, done): p1\nlate");
  });

  test("when the run is cancelled, its output names what agents that had ended produced", async () => {
    const ran = await runFile(file, {
      script: { lead: [spawn(2), call("await_agents")], worker: [reply("W1"), reply("late", { delayMs: 5000 })] },
      onEvent: (event, { abort }) => {
        if (event.type === "node.finished" && event.output.text === "W1") abort.abort();
      },
    });
    expect(ran.last).toMatchObject({ status: "CANCELLED" });
    expect(ran.last.output.text).toContain("agent-1 (worker, done): p1\nW1");
  });

  test("a lead that looks again and again is in no loop; one that spawns the same is", async () => {
    const look = call("list_agents");
    const patient = await runFile(file, {
      script: {
        lead: [spawn(1), look, look, look, look, call("get_agent_result", { id: "agent-1" }), reply("fin")],
        worker: [reply("W", { delayMs: 10 })],
      },
    });
    expect(patient.last).toMatchObject({ status: "SUCCESS", output: { text: "fin" } });
    const stuck = await runFile(file, {
      script: { lead: [spawn(1), spawn(1), spawn(1), spawn(1)], worker: Array(4).fill(reply("W")) },
    });
    expect(stuck.last).toMatchObject({ status: "FAILED", error: { code: "loop" } });
  });

  test("agents of a swarm inside another one are named with its path", async () => {
    const nested = `${agents("lead", "worker")}\nswarms:\n  desk: { type: orchestrate, agents: [lead, worker] }\nswarm: { flow: desk }\n`;
    const ran = await runFile(nested, {
      script: { lead: [spawn(1), call("await_agents", { ids: ["desk/agent-1"] }), reply("fin")], worker: [reply("W")] },
    });
    expect(sentTo(ran, "lead").at(-1)?.at(-1)).toContain('"id":"desk/agent-1"');
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "fin" } });
  });
});
