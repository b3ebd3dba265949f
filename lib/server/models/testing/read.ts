import "server-only";
import type { Message } from "@/lib/core/run/events/messages";
import type { Model, ModelEvent, ModelRequest } from "@/lib/core/run/ports/model";

type Given = Partial<ModelRequest> & { user?: string };

/** A request with one user message, for tests of providers. */
export function requestOf({ user = "hello", ...given }: Given = {}): ModelRequest {
  const messages: Message[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: user },
  ];
  return { agent: "writer", model: "test-model", messages, tools: [], signal: new AbortController().signal, ...given };
}

export async function readAll(model: Model, request: ModelRequest): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request)) events.push(event);
  return events;
}

export const textIn = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("");

export const reasoningIn = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === "reasoning" ? event.text : "")).join("");

/** The successful last event. */
export function doneIn(events: readonly ModelEvent[]) {
  const last = events.at(-1);
  if (last?.type !== "done") throw new Error(`expected done, found ${JSON.stringify(last)}`);
  return last;
}

/** Why the call failed. */
export function failureIn(events: readonly ModelEvent[]) {
  const last = events.at(-1);
  if (last?.type !== "failed") throw new Error(`expected failed, found ${JSON.stringify(last)}`);
  return last.failure;
}

export function sentIn(events: readonly ModelEvent[]) {
  const sent = events.find((event) => event.type === "sent");
  if (!sent) throw new Error("nothing was sent");
  return sent;
}

/** What the last request left out, by name. */
export const droppedIn = (events: readonly ModelEvent[]): string[] => {
  const sent = events.findLast((event) => event.type === "sent");
  return (sent?.dropped ?? []).map(({ parameter }) => parameter);
};

/** The response of the provider, parsed. */
export const responseIn = (events: readonly ModelEvent[]): unknown => {
  const last = events.at(-1);
  return JSON.parse((last?.type === "done" || last?.type === "failed" ? last.response : undefined) ?? "null");
};
