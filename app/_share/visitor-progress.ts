import { throttle } from "@/app/_run/follow/throttle";
import { keyOfPath, type NodeKey } from "@/lib/core/flow/node-key";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import { type VisitorEvent, visitorEventSchema } from "@/lib/core/run/events/visitor-events";

interface AgentProgress {
  key: NodeKey;
  name: string;
  status: RunStatus;
  /** Paths of its steps that have not ended: an agent may run several times at once. */
  open: readonly string[];
}

/** What is known of a running run. */
export interface VisitorProgress {
  /** In the order in which they began. */
  agents: readonly AgentProgress[];
  /** What the last steps of the flow have written, by their paths. */
  texts: ReadonlyMap<string, string>;
}

export const noProgress: VisitorProgress = { agents: [], texts: new Map() };

export function addEvent({ agents, texts }: VisitorProgress, event: VisitorEvent): VisitorProgress {
  switch (event.type) {
    case "agent":
      return { agents: addStatus(agents, event), texts };
    case "text":
      return { agents, texts: new Map(texts).set(event.path, (texts.get(event.path) ?? "") + event.text) };
    case "restart":
      return { agents, texts: new Map([...texts].filter(([path]) => path !== event.path)) };
  }
}

function addStatus(
  agents: readonly AgentProgress[],
  { path, name, status }: Extract<VisitorEvent, { type: "agent" }>,
): readonly AgentProgress[] {
  const key = keyOfPath(path);
  const previous = agents.find((agent) => agent.key === key);
  const others = previous?.open.filter((open) => open !== path) ?? [];
  const isOver = isTerminal(status);
  const next: AgentProgress = {
    key,
    name,
    status: isOver && others.length > 0 ? (previous?.status ?? status) : status,
    open: isOver ? others : [...others, path],
  };
  return previous ? agents.map((agent) => (agent === previous ? next : agent)) : [...agents, next];
}

/** How often progress is rendered at most, in milliseconds: each time the whole text is read as Markdown. */
const renderMs = 100;

/** Shows what happens in a run until `signal` is aborted. Errors are ignored: polling still shows the result. */
export function watchVisitorRun(
  token: string,
  { id, signal, show }: { id: string; signal: AbortSignal; show(progress: VisitorProgress): void },
): void {
  const source = new EventSource(`/api/shared/${encodeURIComponent(token)}/runs/${encodeURIComponent(id)}/events`);
  let progress = noProgress;
  const publish = throttle(() => show(progress), renderMs);
  source.addEventListener("open", () => {
    // A stream that was interrupted begins again.
    progress = noProgress;
  });
  source.addEventListener("message", ({ data }) => {
    const { success, data: event } = visitorEventSchema.safeParse(JSON.parse(String(data)));
    if (!success) return;
    progress = addEvent(progress, event);
    publish();
  });
  const stop = (): void => {
    source.close();
    publish.stop();
  };
  signal.addEventListener("abort", stop, { once: true });
}
