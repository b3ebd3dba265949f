import type { Flow } from "@/lib/core/flow/flow";
import { countNouns } from "@/lib/core/flow/format-count";
import { fingerprintAgent } from "@/lib/core/kinds/fingerprint-agent";
import { findRetryStart, toRunProgress } from "@/lib/core/trace/model/run-progress";
import type { TraceView } from "@/lib/core/trace/model/trace-view";

const maxNames = 2;

export function listNames(names: readonly string[]): string {
  if (names.length > maxNames + 1)
    return `${names.slice(0, maxNames).join(", ")} and ${countNouns(names.length - maxNames, "more agent")}`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** The button that continues a run, and what it reuses. `flow`: what the new run runs; missing: what the run ran. */
export function describeRetry(trace: TraceView, flow?: Flow): { label: string; reuse: string } {
  const { settings = {} } = trace.run;
  const finished = toRunProgress(trace).finished.filter((name) => !flow || flow.agents.has(name));
  const isChanged = (name: string): boolean =>
    flow !== undefined && Object.hasOwn(settings, name) && settings[name] !== fingerprintAgent(flow, name);
  const sentences = [
    describeSame(finished.filter((name) => !isChanged(name))),
    describeChanged(finished.filter(isChanged)),
  ];
  return {
    label: `Retry from ${findRetryStart(trace) ?? "here"}`,
    reuse: sentences.filter(Boolean).join(" "),
  };
}

const describeSame = (names: readonly string[]): string =>
  names.length === 0 ? "" : `Reuses ${listNames(names)} at no cost.`;

function describeChanged(names: readonly string[]): string {
  if (names.length === 0) return "";
  const wording = names.length === 1 ? "it was; it was" : "they were; they were";
  return `Reuses ${listNames(names)} as ${wording} changed since.`;
}
