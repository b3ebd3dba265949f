import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useState } from "react";
import type { TraceSource } from "@/app/_run/follow/trace-source";
import type { RunSource } from "@/app/_run/steps/run-source";
import type { RunInfo } from "@/app/_run-view/run-header";
import { RunView } from "@/app/_run-view/run-view";
import { turnsOfNodes } from "@/app/_run-view/source/turn-source";
import { fromTraceSnapshot, toTraceSnapshot } from "@/lib/core/trace/model/trace-snapshot";
import { BenchRun } from "./bench-run";
import type { TimelineQuery } from "./read-query";

declare global {
  interface Window {
    __dataAt?: number;
    __grown?: { steps: number; at: number }[];
  }
}

const usualPerSecond = 4;

function createBenchSource({ spans, live }: TimelineQuery): TraceSource {
  if (live === 0) {
    const run = new BenchRun();
    run.growTo(spans);
    run.finish();
    const wire = JSON.stringify(toTraceSnapshot(run.trace));
    return {
      initial: null,
      async load() {
        window.__dataAt = performance.now();
        return fromTraceSnapshot(JSON.parse(wire));
      },
      follow(_, show) {
        show("ended");
        return () => {};
      },
    };
  }
  const slowness = usualPerSecond / live;
  const began = Date.now() - (spans / live) * 1000;
  const run = new BenchRun({ began, slowness });
  run.growTo(spans);
  return {
    initial: null,
    async load() {
      window.__dataAt = performance.now();
      return run.trace;
    },
    follow(_, show) {
      const from = performance.now();
      const grown: { steps: number; at: number }[] = [];
      window.__grown = grown;
      let frame = 0;
      const step = (now: number): void => {
        run.growTo(spans + Math.floor(((now - from) * live) / 1000));
        grown.push({ steps: run.trace.length, at: performance.now() });
        show("live");
        frame = requestAnimationFrame(step);
      };
      frame = requestAnimationFrame(step);
      return () => cancelAnimationFrame(frame);
    },
  };
}

const bench: RunInfo = {
  id: "bench",
  flowId: null,
  forkedFrom: null,
  forks: 0,
  trigger: null,
  version: null,
  flowName: "Bench",
  createdAt: 0,
};

const noTexts: RunSource = {
  runId: "bench",
  until: null,
  node: async () => Promise.reject(new Error("The bench has no texts.")),
  text: async () => "",
  download: () => {},
};

const noSources = { steps: noTexts, turns: turnsOfNodes([]), canvas: () => null, flowId: null };

export default function LargeRun({ query }: { query: TimelineQuery }) {
  const [traces] = useState(() => createBenchSource(query));
  return (
    <NuqsAdapter>
      <RunView run={bench} sources={{ traces, ...noSources }} neighbours={{ previous: null, next: null }} />
    </NuqsAdapter>
  );
}
