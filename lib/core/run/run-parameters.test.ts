import { describe, expect, test } from "vitest";
import { emptyRunState, foldEvents } from "../trace/model/fold-events";
import { forkEvents } from "./journal/fork-events";
import { agents, call, echo, reply, runFile } from "./orbiter/flow-file.arbitrary";
import { continueRun } from "./testing/killed-run";
import type { ScriptedTurn } from "./testing/scripted-model";

const chain = `${agents("a", "b").replaceAll('" }', '", tools: [echo], max_steps: 5 }')}\nswarm: { flow: a >> b }\n`;
const ask = (i: number): ScriptedTurn => ({ ...call("echo", { text: String(i) }), text: `try ${i}` });
const busy: ScriptedTurn = { end: { class: "server", message: "busy", status: 503 } };
const endless = ({ agent }: { agent: string }, turn: number): ScriptedTurn =>
  agent === "a" && turn === 1 ? reply("A") : ask(turn);

describe("the parameters of a run", () => {
  test("take the place of the fields of every agent", async () => {
    const ran = await runFile(chain, { tools: [echo], script: endless, options: { parameters: { max_steps: 2 } } });
    expect(ran.end("a").status).toBe("SUCCESS");
    expect(ran.models.requestsOf("b")).toHaveLength(2);
    expect(ran.last.error).toMatchObject({ code: "step-limit", path: "b" });
    expect(ran.last.error?.message).toContain("Raise the run's max_steps");
  });

  test("may raise a limit, too", async () => {
    const script = ({ agent }: { agent: string }, turn: number) =>
      agent === "a" && turn < 7 ? ask(turn) : reply("fin");
    const ran = await runFile(chain, { tools: [echo], script, options: { parameters: { max_steps: 8 } } });
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "fin" } });
  });

  test("loop_threshold and max_retries hold for agents, and retries for routers", async () => {
    const same = { a: [ask(1), ask(1)] };
    const looped = await runFile(chain, {
      tools: [echo],
      script: same,
      options: { parameters: { loop_threshold: 2 } },
    });
    expect(looped.last.error?.code).toBe("loop");
    const tired = await runFile(chain, {
      tools: [echo],
      script: () => busy,
      options: { parameters: { max_retries: 1 } },
    });
    expect(tired.models.requests).toHaveLength(2);
    const routed = `${agents("a")}\nrouters:\n  r: { model: "scripted:m", lanes: { x: { when: always, flow: a } } }\nswarm: { flow: r }\n`;
    const chosen = await runFile(routed, { script: () => busy, options: { parameters: { max_retries: 0 } } });
    expect(chosen.models.requests).toHaveLength(1);
  });

  test("are in run.started and in the state; without any there are none", async () => {
    const script = () => reply("fin");
    const parameters = { max_steps: 2, max_retries: 0 };
    const ran = await runFile(chain, { tools: [echo], script, options: { parameters } });
    expect(ran.events[0]).toMatchObject({ type: "run.started", parameters });
    expect(foldEvents(emptyRunState, ran.events).parameters).toEqual(parameters);
    for (const none of [undefined, {}, { max_steps: undefined }]) {
      const plain = await runFile(chain, { tools: [echo], script, options: { parameters: none } });
      expect(plain.events[0]).not.toHaveProperty("parameters");
    }
  });

  test.each([
    [{ max_steps: 0 }, "max_steps"],
    [{ max_retries: 1.5 }, "max_retries"],
    [{ loop_threshold: Number.NaN }, "loop_threshold"],
  ])("that are not valid (%j) fail the run before any model is asked", async (parameters, field) => {
    const ran = await runFile(chain, { tools: [echo], script: {}, options: { parameters } });
    expect(ran.last).toMatchObject({ status: "FAILED", error: { code: "invalid-parameters" } });
    expect(ran.last.error?.message).toContain(`: ${field}: `);
    expect(ran.models.requests).toEqual([]);
    expect(ran.events[0]).not.toHaveProperty("parameters");
  });

  test.each([{}, { parameters: { max_steps: 9 } }])(
    "are kept by a run that was killed, whatever its next process says: %j",
    async (options) => {
      const sketch = { source: chain, tools: [echo], script: endless };
      const killed = await continueRun({ ...sketch, options: { parameters: { max_steps: 2 } } }, [], (events) =>
        events.some((event) => event.type === "node.started" && event.path === "b"),
      );
      const cut = killed.slice(0, killed.findIndex((event) => event.type === "node.started" && event.path === "b") + 1);
      const all = await continueRun({ ...sketch, options }, cut);
      expect(all.at(-1)).toMatchObject({ status: "FAILED", error: { code: "step-limit", path: "b" } });
      expect(all.filter((event) => event.type === "node.started" && event.path.startsWith("b#llm-"))).toHaveLength(4);
    },
  );

  test("are kept by a fork", async () => {
    const ran = await runFile(chain, { tools: [echo], script: endless, options: { parameters: { max_steps: 2 } } });
    const node = ran.started.find(({ path }) => path === "b")?.id ?? 0;
    const { events } = forkEvents(ran.events, { node, now: 0 });
    const all = await continueRun({ source: chain, tools: [echo], script: endless }, events);
    expect(all[0]).toMatchObject({ type: "run.started", parameters: { max_steps: 2 } });
    expect(all.at(-1)).toMatchObject({ status: "FAILED", error: { code: "step-limit", path: "b" } });
  });
});
