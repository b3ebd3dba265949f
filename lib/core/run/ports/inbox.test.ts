import { describe, expect, test } from "vitest";
import { readSource } from "../../source/read-source";
import type { RunEventOf } from "../events/events";
import { agents, call, echo, reply, runFile, sentTo } from "../orbiter/flow-file.arbitrary";
import { type FinishedRun, runScripted, type ScriptedRunOptions } from "../testing/scripted-run";
import { Inbox } from "./inbox";

const notesOf = ({ events }: FinishedRun): RunEventOf<"node.noted">[] =>
  events.filter((event) => event.type === "node.noted");
const chain = `${agents("a", "b", "c")}\nswarm: { flow: a >> b }\n`;

/** Runs the chain and puts a message in when the step of that path starts or ends. */
async function tell(
  moment: "node.started" | "node.finished",
  path: string,
  agent: string,
  trial: Partial<ScriptedRunOptions> = {},
): Promise<{ ran: FinishedRun; accepted: boolean[] }> {
  const inbox = new Inbox();
  const accepted: boolean[] = [];
  const paths = new Map<number, string>();
  const ran = await runFile(chain, {
    script: { a: [reply("A")], b: [reply("B")] },
    ...trial,
    options: { inbox },
    onEvent: (event) => {
      if (event.type === "node.started") paths.set(event.id, event.path);
      if (event.type === moment && paths.get(event.id) === path)
        accepted.push(inbox.put({ agent, text: "Mention the date.", by: "Ann" }));
    },
  });
  expect(inbox.put({ agent, text: "too late", by: "Ann" })).toBe(false);
  return { ran, accepted };
}

describe("a message for an agent", () => {
  test("is refused once the agent has ended, by its name and by its path", async () => {
    const { ran, accepted } = await tell("node.finished", "a", "a");
    expect(accepted).toEqual([false]);
    expect(notesOf(ran)).toEqual([]);
  });

  test("is taken with its sender by an agent that has not begun", async () => {
    const { ran, accepted } = await tell("node.started", "a", "b");
    expect(accepted).toEqual([true]);
    expect(sentTo(ran, "b")[0]).toEqual(["S:I am b", "U:A", "U:Mention the date."]);
    expect(ran.events).toContainEqual(
      expect.objectContaining({ type: "message.injected", text: "Mention the date.", by: "Ann" }),
    );
    expect(notesOf(ran)).toEqual([]);
  });

  test("that came during the agent's last model call is noted at the end of the run, with its text and sender", async () => {
    const { ran, accepted } = await tell("node.started", "b#llm-1", "b");
    expect(accepted).toEqual([true]);
    expect(ran.events.some((event) => event.type === "message.injected")).toBe(false);
    const [note, ...more] = notesOf(ran);
    expect(more).toEqual([]);
    expect(note).toMatchObject({ id: 1, code: "message-not-delivered" });
    expect(note?.message).toContain("Mention the date.");
    expect(note?.message).toContain('of Ann to "b"');
    expect(ran.events.at(-2)).toMatchObject({ type: "node.finished", id: 1 });
  });

  test("for an agent that never runs is noted, also when the run fails or is cancelled", async () => {
    const failed = await tell("node.started", "a", "c", { script: { a: [] } });
    expect(failed.ran.last.status).toBe("FAILED");
    expect(notesOf(failed.ran)).toMatchObject([{ code: "message-not-delivered" }]);
    const abort = new AbortController();
    const cancelled = await tell("node.started", "a#llm-1", "b", {
      script: () => {
        abort.abort();
        return { end: "never" };
      },
      context: { signal: abort.signal },
    });
    expect(cancelled.ran.last.status).toBe("CANCELLED");
    expect(notesOf(cancelled.ran)).toMatchObject([{ code: "message-not-delivered" }]);
  });

  test("is refused after a run that could not begin", async () => {
    const inbox = new Inbox();
    const { flow } = readSource(`${agents("a")}\nswarm: { flow: a >> missing }\n`);
    expect((await runScripted(flow, { script: {}, options: { inbox } })).last.error?.code).toBe("invalid-flow");
    expect(inbox.put({ agent: "a", text: "x" })).toBe(false);
  });

  test("by name is accepted while another agent of the same name works", async () => {
    const inbox = new Inbox();
    inbox.enter("worker", "worker#spawn-1");
    inbox.enter("worker", "worker#spawn-2");
    inbox.leave("worker", "worker#spawn-1");
    expect(inbox.put({ agent: "worker#spawn-1", text: "x" })).toBe(false);
    expect(inbox.put({ agent: "worker", text: "y" })).toBe(true);
    expect(inbox.take("worker", "worker#spawn-2").map(({ text }) => text)).toEqual(["y"]);
    inbox.leave("worker", "worker#spawn-2");
    expect(inbox.put({ agent: "worker", text: "z" })).toBe(false);
    inbox.enter("worker", "worker#spawn-3");
    expect(inbox.put({ agent: "worker", text: "again" })).toBe(true);
  });

  test("is taken in the order of coming, whether sent to the name or to the path", async () => {
    const inbox = new Inbox();
    const text = `agents:\n  a: { model: "scripted:m", tools: [echo] }\ngroups:\n  g: { type: serial, flow: a }\nswarm: { flow: g }\n`;
    const ran = await runFile(text, {
      tools: [echo],
      options: { inbox },
      script: { a: [call("echo"), reply("fin")] },
      onEvent: (event) => {
        if (event.type !== "node.started" || event.kind !== "tool_call") return;
        inbox.put({ agent: "g/a", text: "first" });
        inbox.put({ agent: "a", text: "second" });
      },
    });
    expect(sentTo(ran, "a")[1]?.slice(-2)).toEqual(["U:first", "U:second"]);
  });
});
