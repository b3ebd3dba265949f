import { kindNumber, type TraceView } from "@/lib/core/trace/model/trace-view";
import { isWork } from "@/lib/core/trace/timeline/idle-gaps";

export const noAgent = 255;

export class SpanColors {
  #numbers = new Uint8Array(0);
  #columns: TraceView["columns"] | null = null;
  #known = 0;
  #names: number[] = [];

  of(trace: TraceView): Uint8Array {
    const { parent, kind, name } = trace.columns;
    if (this.#columns !== trace.columns) [this.#columns, this.#known, this.#names] = [trace.columns, 0, []];
    if (this.#numbers.length < trace.length) {
      const longer = new Uint8Array(Math.max(256, trace.length * 2));
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    const agent = kindNumber("agent");
    for (; this.#known < trace.length; this.#known++) {
      const span = this.#known;
      const above = parent[span] ?? -1;
      this.#numbers[span] =
        kind[span] === agent
          ? this.#byName(trace, name[span] ?? 0)
          : isWork(trace, span) && above >= 0
            ? (this.#numbers[above] ?? noAgent)
            : noAgent;
    }
    return this.#numbers;
  }

  #byName(trace: TraceView, name: number): number {
    this.#names[name] ??= trace.agentNumberOf(trace.names.at(name)) ?? 0;
    return this.#names[name] ?? 0;
  }
}
