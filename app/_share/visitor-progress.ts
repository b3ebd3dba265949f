import type { RunStatus } from "@/lib/core/run/events/run-status";
import { type VisitorEvent, visitorEventSchema } from "@/lib/core/run/events/visitor-events";

/** What is known of a run that goes on. */
export interface VisitorProgress {
  /** In the order in which they began. */
  agents: readonly { name: string; status: RunStatus }[];
  /** What the agents at the end of the flow have written, by their names. */
  texts: ReadonlyMap<string, string>;
}

export const noProgress: VisitorProgress = { agents: [], texts: new Map() };

/** An agent that begins again writes its text anew. */
export function addEvent({ agents, texts }: VisitorProgress, event: VisitorEvent): VisitorProgress {
  if (event.type === "text") {
    const text = (texts.get(event.agent) ?? "") + event.text;
    return { agents, texts: new Map(texts).set(event.agent, text) };
  }
  const { name, status } = event;
  const isNew = !agents.some((agent) => agent.name === name);
  const next = isNew ? [...agents, { name, status }] : agents.map((agent) => (agent.name === name ? event : agent));
  const kept = new Map(texts);
  if (status === "RUNNING" && agents.find((agent) => agent.name === name)?.status !== "WAITING") kept.delete(name);
  return { agents: next.map((agent) => ({ name: agent.name, status: agent.status })), texts: kept };
}

/** Tells what happens in a run until `signal` is aborted. Without it the run is still read to its end: nothing is told of faults. */
export function watchVisitorRun(
  token: string,
  { id, signal, show }: { id: string; signal: AbortSignal; show(progress: VisitorProgress): void },
): void {
  const source = new EventSource(`/api/shared/${encodeURIComponent(token)}/runs/${encodeURIComponent(id)}/events`);
  let progress = noProgress;
  source.addEventListener("open", () => {
    // A stream that was interrupted begins again.
    progress = noProgress;
  });
  source.addEventListener("message", ({ data }) => {
    const { success, data: event } = visitorEventSchema.safeParse(JSON.parse(String(data)));
    if (!success) return;
    progress = addEvent(progress, event);
    show(progress);
  });
  signal.addEventListener("abort", () => source.close(), { once: true });
}
