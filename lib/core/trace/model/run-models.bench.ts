import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { bench, describe } from "vitest";
import type { RunEvent } from "../../run/events/events";
import { noUsage } from "../../run/events/usage";
import { emptyRunState, foldEvents } from "./fold-events";
import { Trace } from "./trace";
import { applyBatch, toBatch } from "./trace-batch";

const stepCount = 100_000;
const eventsPerBatch = 4000;
const textLength = 400;

let seq = 0;
const next = () => ({ seq: ++seq, at: 1_760_000_000_000 + seq });
const text = (id: number) => ({ text: `${id} `.padEnd(textLength, "words ") });

/** A run of agents with one model call each, all ended but the last, in batches. */
function* generateBatches(): Generator<RunEvent[]> {
  seq = 0;
  const input = { text: "Q" };
  let batch: RunEvent[] = [
    { ...next(), type: "run.started", input, flow: "Bench" },
    { ...next(), type: "node.started", id: 1, path: "/", kind: "swarm", name: "Bench", input },
  ];
  for (let id = 2; id < stepCount; id += 2) {
    const [call, path] = [id + 1, `agent_${id}`];
    const agentStart = { id, parent: 1, path, kind: "agent", name: path, input: text(id) } as const;
    const callStart = { id: call, parent: id, path: `${path}#llm-1`, kind: "llm_call", name: "m", input } as const;
    batch.push({ ...next(), type: "node.started", ...agentStart }, { ...next(), type: "node.started", ...callStart });
    for (const ended of call < stepCount - 1 ? [call, id] : [])
      batch.push({
        ...next(),
        type: "node.finished",
        id: ended,
        status: "SUCCESS",
        output: text(ended),
        usage: noUsage,
      });
    if (batch.length < eventsPerBatch) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function usedMemory(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Fills a model and returns its memory; `append` keeps the model alive. */
function fill(append: (events: readonly RunEvent[]) => void): string {
  const before = usedMemory();
  for (const batch of generateBatches()) append(batch);
  return `${((usedMemory() - before) / 1_000_000).toFixed(0)} MB`;
}

const openCall = stepCount % 2 === 0 ? stepCount - 1 : stepCount;
const nextText = (): RunEvent => ({ ...next(), type: "text.appended", id: openCall, text: "word " });

describe("model of a run of 100,000 steps, one more event", () => {
  let state = emptyRunState;
  const stateMemory = fill((events) => {
    state = foldEvents(state, events);
  });
  bench(`RunState, ${stateMemory}`, () => {
    state = foldEvents(state, [nextText()]);
  });

  const trace = new Trace();
  const traceMemory = fill((events) => {
    const batch = toBatch(events);
    if (batch) applyBatch(trace, batch);
  });
  bench(`Trace, ${traceMemory}`, () => {
    const batch = toBatch([nextText()]);
    if (batch) applyBatch(trace, batch);
  });
});
