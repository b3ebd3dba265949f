import { describe, expect, test } from "vitest";
import { emptyRunState, foldEvents } from "../../trace/model/fold-events";
import type { RunEvent } from "../events/events";
import { expectValid, finish, flows, Outside, toJournal, withoutTimes } from "../testing/run-shapes";
import { makeFlow, runScripted } from "../testing/scripted-run";
import { forkEvents } from "./fork-events";

const isCall = ({ kind }: { kind: string }): boolean => kind === "llm_call" || kind === "tool_call";
const startsOf = (events: readonly RunEvent[]) => events.filter((event) => event.type === "node.started");

describe.each(Object.keys(flows))("a fork of %s", (name) => {
  test("from any node ends as its parent did, and calls nothing again that the node does not lead to", async () => {
    const { events: parent } = await finish(name, new Outside());
    const expected = withoutTimes(parent);
    for (const node of startsOf(parent)) {
      const { events: begun, sources } = forkEvents(parent, { node: node.id, now: 1_000_000 });
      const outside = new Outside();
      const { events: rest } = await finish(name, outside, { journal: toJournal(begun) });
      const all = [...begun, ...rest];
      expectValid(all);
      const toFacts = ({ status, output, nodes }: typeof expected) => ({
        status,
        output,
        nodes: nodes.map(({ calls: _, ...facts }) => facts),
      });
      expect(toFacts(withoutTimes(all))).toEqual(toFacts(expected));
      const reused = [...sources.values()].map((id) => startsOf(parent).find((start) => start.id === id));
      expect(reused.some((start) => start?.path === node.path || start?.path.startsWith(`${node.path}#`))).toBe(false);
      const redone = startsOf(all).filter(isCall).length - reused.filter((start) => start && isCall(start)).length;
      expect(outside.modelCalls.length + outside.toolCalls.length).toBeLessThanOrEqual(redone);
      const before = startsOf(parent).filter((start) => isCall(start) && start.seq < node.seq);
      const ended = before.filter(({ id }) =>
        parent.some((event) => event.type === "node.finished" && event.id === id && event.seq < node.seq),
      );
      for (const call of ended) expect(reused).toContain(call);
    }
  });

  test("begins with nodes that used nothing and took no time", async () => {
    const { events: parent } = await finish(name, new Outside());
    const last = startsOf(parent).findLast(isCall);
    const { events } = forkEvents(parent, { node: last?.id ?? 0, now: 1_000_000 });
    const { nodes, usage } = foldEvents(emptyRunState, events);
    expect([usage.calls, usage.cost]).toEqual([0, 0]);
    expect(nodes.every(({ startedAt, endedAt = startedAt }) => startedAt === 1_000_000 && endedAt === startedAt)).toBe(
      true,
    );
    expect(nodes.map(({ id }) => id)).toEqual(nodes.map((_, index) => index + 1));
  });
});

const chain = makeFlow({ flow: "a >> b >> c" });
const answers = { a: [{ text: "A" }], b: [{ text: "B" }], c: [{ text: "C" }] };

test("a fork without a node does again what failed, and what was cancelled with it", async () => {
  const flow = makeFlow({ flow: "a >> (b | c | d)", agents: { b: { max_retries: 0 } } });
  const refused = { end: { class: "invalid-request", message: "no" } } as const;
  const first = await runScripted(flow, {
    script: { a: [{ text: "A" }], b: [{ ...refused, delayMs: 5 }], c: [{ text: "C" }], d: [{ end: "never" }] },
  });
  expect(first.last.status).toBe("FAILED");
  const { events } = forkEvents(first.events, { node: null, now: 9_000 });
  const again = await runScripted(flow, {
    script: { b: [{ text: "B" }], d: [{ text: "D" }] },
    options: { journal: toJournal(events) },
  });
  expectValid([...events, ...again.events]);
  expect([again.last.status, again.last.output.text, again.models.unused]).toEqual(["SUCCESS", "B\n\nC\n\nD", []]);
});

test("an edited output takes the place of a node, of whatever kind, and nothing in it is done", async () => {
  const { events: parent } = await runScripted(chain, { script: answers });
  for (const path of ["b", "b#llm-1"]) {
    const node = startsOf(parent).find((start) => start.path === path)?.id ?? 0;
    const { events } = forkEvents(parent, { node, now: 9_000, output: "edited" });
    const again = await runScripted(chain, {
      script: { c: [{ text: "C2" }] },
      options: { journal: toJournal(events) },
    });
    expectValid([...events, ...again.events]);
    expect(again.models.requests.map(({ agent, messages }) => [agent, messages.at(-1)?.content])).toEqual([
      ["c", "edited"],
    ]);
  }
});

test("an edited input, instructions and model are those of the node alone", async () => {
  const { events: parent } = await runScripted(chain, { script: answers });
  const node = startsOf(parent).find(({ path }) => path === "b")?.id ?? 0;
  const { events } = forkEvents(parent, { node, now: 9_000 });
  const edits = new Map([["b", { input: "other", instructions: "Be brief.", model: "scripted:large" }]]);
  const again = await runScripted(chain, {
    script: { b: [{ text: "B2" }], c: [{ text: "C2" }] },
    options: { journal: toJournal(events), edits },
  });
  expect(again.models.requests.map(({ model, messages }) => [model, messages.map(({ content }) => content)])).toEqual([
    ["large", ["Be brief.", "other"]],
    ["m", ["B2"]],
  ]);
});
