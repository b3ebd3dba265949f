import type { RunNodeKind } from "@/lib/core/run/events/events";
import type { RunStatus } from "@/lib/core/run/events/run-status";
import { noUsage } from "@/lib/core/run/events/usage";
import { Trace } from "@/lib/core/trace/model/trace";

export interface BenchPace {
  /** When the run began, in milliseconds since the epoch. */
  began: number;
  slowness: number;
}

const usual: BenchPace = { began: 1_760_000_000_000, slowness: 1 };
const lanes = 8;
const models = ["openai:gpt-5.4-mini", "anthropic:claude-sonnet-5", "demo:writer"];
const tools = ["web_search", "read_page", "calculator"];

interface Lane {
  at: number;
  agent: number;
  step: number;
  steps: number;
  /** The call that runs; 0: none. */
  call: number;
}

/**
 * A run made for measuring, step by step: rounds of a loop, in each a group of agents side by side that call models and
 * tools; a few calls fail and are tried again. The same every time.
 */
export class BenchRun {
  readonly trace = new Trace();
  #seed = 1;
  #id = 0;
  #round = 0;
  #group = 0;
  #lanes: Lane[] = [];

  readonly #slowness: number;

  constructor({ began, slowness }: BenchPace = usual) {
    this.#slowness = slowness;
    this.trace.setRun({ status: "RUNNING", flow: "Bench", startedAt: began });
    this.#start("swarm", "Bench", "/", 0, began);
    this.#start("loop", "refine", "refine", 1, began);
    this.#startRound(began);
  }

  get now(): number {
    return Math.min(...this.#lanes.map(({ at }) => at));
  }

  growTo(spans: number): void {
    while (this.trace.length < spans) this.#next();
  }

  finish(): void {
    const at = this.now;
    for (let span = this.trace.length - 1; span >= 0; span--) this.#end(span + 1, "SUCCESS", at);
    this.trace.setRun({ status: "SUCCESS", endedAt: at });
  }

  #next(): void {
    const [first, ...others] = this.#lanes;
    if (!first) return;
    const lane = others.reduce((earliest, other) => (other.at < earliest.at ? other : earliest), first);
    if (lane.step > lane.steps) {
      this.#end(lane.agent, "SUCCESS", lane.at);
      this.#lanes = this.#lanes.filter((other) => other !== lane);
      if (this.#lanes.length > 0) return;
      this.#end(this.#group, "SUCCESS", lane.at);
      this.#end(this.#round, "SUCCESS", lane.at);
      this.#startRound(lane.at + this.#slowness * (this.#random(50) === 0 ? 20_000 : 30));
      return;
    }
    this.#step(lane);
  }

  #startRound(at: number): void {
    const number = this.trace.length;
    this.#round = this.#start("round", "round", `refine#${number}`, 2, at);
    this.#group = this.#start("group", "review", `refine#${number}/review`, this.#round, at);
    this.#lanes = Array.from({ length: lanes }, (_, lane) => {
      const name = `agent_${lane + 1}`;
      const agent = this.#start("agent", name, `refine#${number}/review/${name}`, this.#group, at);
      return { at: at + this.#slowness * this.#random(20), agent, step: 1, steps: 1 + 2 * this.#random(3), call: 0 };
    });
  }

  #step(lane: Lane): void {
    const path = `${this.trace.pathOf(lane.agent - 1)}#llm-${(lane.step + 1) >> 1}`;
    if (lane.call > 0) {
      this.#end(lane.call, this.#random(400) === 0 ? "FAILED" : "SUCCESS", lane.at);
      lane.call = 0;
      lane.step++;
      lane.at += this.#slowness * this.#random(10);
    } else if (lane.step % 2 === 1) {
      lane.call = this.#start("llm_call", models[lane.agent % models.length] ?? "", path, lane.agent, lane.at);
      const span = lane.call - 1;
      if (this.#random(60) === 0)
        this.trace.addAttempt(span, {
          at: lane.at + this.#slowness * 300,
          code: "rate-limit",
          waitMs: this.#slowness * 1000,
        });
      if (this.#random(20) === 0) this.trace.addQueueTime(span, this.#slowness * (100 + this.#random(400)));
      this.trace.markFirstToken(span, lane.at + this.#slowness * (1400 + this.#random(900)));
      lane.at += this.#slowness * (2400 + this.#random(4000));
    } else {
      lane.call = this.#start("tool_call", tools[this.#random(3)] ?? "", `${path}#tool-1`, lane.agent, lane.at);
      lane.at += this.#slowness * (40 + this.#random(900));
    }
  }

  #start(kind: RunNodeKind, name: string, path: string, parent: number, at: number): number {
    this.trace.start({ id: ++this.#id, kind, name, path, at, ...(parent > 0 ? { parent } : {}) });
    return this.#id;
  }

  #end(id: number, status: RunStatus, at: number): void {
    const input = 400 + this.#random(3000);
    const output = 50 + this.#random(700);
    const cost = (input * 0.25 + output * 2) / 1_000_000;
    this.trace.end(id - 1, {
      at,
      status,
      usage: { ...noUsage, input, output, cached: this.#random(2) * (input >> 1), calls: 1, cost },
      ...(status === "FAILED" ? { code: "server" } : {}),
    });
  }

  /** 0 to `below` - 1: a linear congruential generator (Numerical Recipes). */
  #random(below: number): number {
    this.#seed = (this.#seed * 1_664_525 + 1_013_904_223) >>> 0;
    return Math.floor((this.#seed / 2 ** 32) * below);
  }
}
