import type { RunNodeKind } from "../../run/events/events";
import { spanKinds } from "./otlp";

/**
 * The names that spans carry: the one table between a run and OpenTelemetry. `gen_ai.*` are the semantic conventions for
 * generative AI (open-telemetry/semantic-conventions-genai, status Development), pinned here; the OpenInference keys are
 * what Langfuse and Phoenix read for the kinds that `gen_ai.operation.name` has no value for.
 */
export interface SpanMapping {
  /** `gen_ai.operation.name`, which also begins the span's name. Null: a span of our own, named by `word`. */
  operation: "invoke_workflow" | "invoke_agent" | "chat" | "execute_tool" | null;
  /** Begins the name of a span without an operation. */
  word: string;
  kind: (typeof spanKinds)[keyof typeof spanKinds];
  openInference: "CHAIN" | "AGENT" | "LLM" | "TOOL" | "GUARDRAIL";
  /** The attribute that holds the name of the step. */
  nameKey: "gen_ai.workflow.name" | "gen_ai.agent.name" | "gen_ai.request.model" | "gen_ai.tool.name" | null;
  /** Facts of the node's metadata that go along as `swarmloom.<fact>`; they are names and counts, never texts of the run. */
  facts: readonly string[];
}

const toInternalSpan = (word: string, facts: readonly string[] = []): SpanMapping => ({
  operation: null,
  word,
  kind: spanKinds.internal,
  openInference: "CHAIN",
  nameKey: null,
  facts,
});

export const spanMappings: Readonly<Record<RunNodeKind, SpanMapping>> = {
  swarm: {
    ...toInternalSpan("swarm"),
    operation: "invoke_workflow",
    nameKey: "gen_ai.workflow.name",
  },
  agent: {
    ...toInternalSpan("agent", ["steps"]),
    operation: "invoke_agent",
    openInference: "AGENT",
    nameKey: "gen_ai.agent.name",
  },
  llm_call: {
    ...toInternalSpan("model"),
    operation: "chat",
    kind: spanKinds.client,
    openInference: "LLM",
    nameKey: "gen_ai.request.model",
  },
  tool_call: {
    ...toInternalSpan("tool"),
    operation: "execute_tool",
    openInference: "TOOL",
    nameKey: "gen_ai.tool.name",
  },
  group: toInternalSpan("group", ["order"]),
  handoff: toInternalSpan("handoff", ["from", "to"]),
  approval: { ...toInternalSpan("approval"), openInference: "GUARDRAIL" },
  branch: toInternalSpan("branch", ["taken"]),
  router: toInternalSpan("router", ["lane"]),
  loop: toInternalSpan("loop", ["rounds", "ended"]),
  round: toInternalSpan("round"),
};

/** Our names of providers that the conventions call otherwise; any other name goes as it is. */
export const providerNames: ReadonlyMap<string, string> = new Map([["google", "gcp.gemini"]]);

/** Of which version of the conventions the names are. */
export const schemaUrl = "https://opentelemetry.io/schemas/1.42.0";
export const scopeName = "swarmloom";
