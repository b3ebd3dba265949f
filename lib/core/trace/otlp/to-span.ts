import { isTerminal } from "../../run/events/run-status";
import { hasUnknownCost } from "../../run/events/usage";
import type { RunNode } from "../model/run-state";
import { toAgentContent, toModelContent } from "./content";
import { toSpanId, toTraceId } from "./ids";
import { providerNames, type SpanMapping, spanMappings } from "./mapping";
import { type AttributeInput, type Span, type SpanEvent, statusError, toAttributes, toNano } from "./otlp";
import { toRequestAttributes } from "./request";

/** What spans take from the run that they belong to. */
export interface TracedRun {
  id: string;
  /** Until when anything is known, in milliseconds since the epoch: its end, or now. Open steps end here. */
  until: number;
}

export interface TraceOptions {
  /** Whether messages, texts, arguments, results and the words of errors go along. */
  content: boolean;
}

/** What a span takes from the steps that started before it. */
export interface Before {
  /** Its parent, when that is known. */
  parent?: { id: number; path: string } | undefined;
  /** tool_call: the id that the model gave the call. */
  callId?: string | undefined;
}

/** A step as a span. Its texts must be whole where content is asked for. Never throws. */
export function toSpan(run: TracedRun, node: RunNode, before: Before, options: TraceOptions): Span {
  const mapping = spanMappings[node.kind];
  const end = node.endedAt ?? (isTerminal(node.status) ? node.startedAt : run.until);
  return {
    traceId: toTraceId(run.id),
    spanId: toSpanId(run.id, node.id),
    ...(before.parent && { parentSpanId: toSpanId(run.id, before.parent.id) }),
    name: `${mapping.operation ?? toWord(node, mapping)} ${toModelName(node)}`.trim(),
    kind: mapping.kind,
    startTimeUnixNano: toNano(node.startedAt),
    endTimeUnixNano: toNano(Math.max(node.startedAt, end)),
    attributes: toAttributes({
      ...toCommon(run, node, mapping, before),
      ...toKindAttributes(node, before, options),
    }),
    events: node.attempts.map((attempt) => toAttemptEvent(attempt, options)),
    status: toStatus(node, options),
  };
}

/** A group whose members run at once is called `parallel`. */
const toWord = ({ metadata }: RunNode, { word, facts }: SpanMapping): string =>
  facts.includes("order") && metadata.order === "parallel" ? "parallel" : word;

/** `openai:gpt-4.1` is the model gpt-4.1; every other step keeps its name. */
const toModelName = ({ kind, name }: RunNode): string =>
  kind === "llm_call" ? name.slice(name.indexOf(":") + 1) : name;

function toCommon(run: TracedRun, node: RunNode, mapping: SpanMapping, before: Before): Record<string, AttributeInput> {
  const { path, kind, status, error } = node;
  return {
    "openinference.span.kind": mapping.openInference,
    "session.id": run.id,
    "graph.node.id": path,
    "graph.node.parent_id": before.parent?.path,
    ...(mapping.operation && { "gen_ai.operation.name": mapping.operation, "gen_ai.conversation.id": run.id }),
    ...(mapping.nameKey && { [mapping.nameKey]: toModelName(node) }),
    "error.type": error?.code,
    "swarmloom.node.kind": kind,
    "swarmloom.node.status": status,
    "swarmloom.simulated": node.simulated || undefined,
    ...toFacts(node, mapping),
  };
}

function toFacts({ metadata }: RunNode, { facts }: SpanMapping): Record<string, AttributeInput> {
  const knownFacts = facts.map((fact): [string, AttributeInput] => {
    const value = Object.hasOwn(metadata, fact) ? metadata[fact] : undefined;
    if (typeof value === "number") return [`swarmloom.${fact}`, { int: value }];
    return [`swarmloom.${fact}`, typeof value === "string" ? value : undefined];
  });
  return Object.fromEntries(knownFacts);
}

function toKindAttributes(node: RunNode, before: Before, { content }: TraceOptions): Record<string, AttributeInput> {
  switch (node.kind) {
    case "llm_call":
      return {
        ...toModelAttributes(node),
        ...toRequestAttributes(node, content),
        ...(content && toModelContent(node)),
      };
    case "agent":
      return { "gen_ai.agent.id": node.path, ...(content && toAgentContent(node)) };
    case "tool_call":
      return {
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": before.callId,
        ...(content && {
          "gen_ai.tool.call.arguments": node.input.text,
          "gen_ai.tool.call.result": node.endedAt === undefined ? undefined : node.output.text,
        }),
      };
    default:
      return content ? toChainContent(node) : {};
  }
}

/** Only a chain has no message of its own; a guardrail's text is its parent's. */
function toChainContent(node: RunNode): Record<string, AttributeInput> {
  if (spanMappings[node.kind].openInference !== "CHAIN") return {};
  return {
    "input.value": node.input.text,
    "output.value": node.endedAt === undefined ? undefined : node.output.text,
  };
}

function toModelAttributes(node: RunNode): Record<string, AttributeInput> {
  const { usage, metadata, request, name, startedAt, firstTokenAt, queuedMs } = node;
  const provider = request?.provider ?? (name.includes(":") ? name.slice(0, name.indexOf(":")) : undefined);
  const { model, finishReason } = metadata;
  const counted = (count: number): AttributeInput => (usage.calls > 0 ? { int: count } : undefined);
  return {
    "gen_ai.provider.name": provider === undefined ? undefined : (providerNames.get(provider) ?? provider),
    "gen_ai.response.model": typeof model === "string" ? model : undefined,
    "gen_ai.response.finish_reasons": typeof finishReason === "string" ? [finishReason] : undefined,
    "gen_ai.response.time_to_first_chunk":
      firstTokenAt === undefined ? undefined : Math.max(0, firstTokenAt - startedAt) / 1000,
    "gen_ai.usage.input_tokens": counted(usage.input),
    "gen_ai.usage.output_tokens": counted(usage.output),
    "gen_ai.usage.cache_read.input_tokens": counted(usage.cached),
    "gen_ai.usage.reasoning.output_tokens": counted(usage.reasoning),
    "llm.cost.total": usage.calls > 0 && !hasUnknownCost(usage) ? (usage.cost ?? undefined) : undefined,
    "swarmloom.usage.estimated": usage.estimated || undefined,
    "swarmloom.queue_ms": queuedMs,
  };
}

function toAttemptEvent(
  { attempt, at: time, error, waitMs }: RunNode["attempts"][number],
  { content }: TraceOptions,
): SpanEvent {
  return {
    timeUnixNano: toNano(time),
    name: "swarmloom.attempt.failed",
    attributes: toAttributes({
      "error.type": error.code,
      "exception.message": content ? error.message : undefined,
      "swarmloom.attempt": { int: attempt },
      "swarmloom.wait_ms": waitMs,
    }),
  };
}

/** The message of an error may repeat a text of a tool or a model, so it counts as content. */
function toStatus({ status, error }: RunNode, { content }: TraceOptions): Span["status"] {
  if (!isTerminal(status) || status === "SUCCESS") return {};
  return { code: statusError, message: content && error ? error.message : (error?.code ?? status.toLowerCase()) };
}

/** The id that a model gave the call that a tool_call step is: its path counts the calls of the turn. */
export function toCallId({ path }: RunNode, ids: readonly string[]): string | undefined {
  const callNumber = /#tool-(\d+)$/.exec(path)?.[1];
  return callNumber === undefined ? undefined : ids[Number(callNumber) - 1];
}
