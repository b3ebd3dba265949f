import { looksUpVariable } from "@/lib/core/flow/field-variables";
import { formatCount } from "@/lib/core/flow/format-count";
import type { ModelOffer } from "@/lib/core/flow/model-support";
import type { Agent } from "@/lib/core/kinds/agent";
import { agentDefaults } from "@/lib/core/kinds/agent-defaults";
import type { AgentFieldOf } from "@/lib/core/kinds/field-types";

export interface AgentNumber {
  field: AgentFieldOf<"number">;
  label: string;
  hint: string;
  placeholder: string;
  /** Why the model does not take it; the field is hidden while it is unset. */
  refused?: string;
}

const ownNumbers: readonly AgentNumber[] = [
  {
    field: "max_steps",
    label: "Max steps",
    hint: "Maximum number of model calls.",
    placeholder: String(agentDefaults.max_steps),
  },
  {
    field: "max_retries",
    label: "Max retries",
    hint: "After transient errors.",
    placeholder: String(agentDefaults.max_retries),
  },
  {
    field: "loop_threshold",
    label: "Loop threshold",
    hint: "Equal tool calls in a row that fail the run.",
    placeholder: String(agentDefaults.loop_threshold),
  },
  { field: "timeout_seconds", label: "Timeout, seconds", hint: "For the whole agent.", placeholder: "none" },
];

/** Providers whose default temperature is 1 for all models. */
const fixedTemperatureProviders = new Set(["openai", "anthropic", "google"]);

export function numbersFor(offer: ModelOffer | null): AgentNumber[] {
  const { supports = {}, maxOutput, highestTemperature = 2, provider = "", name = "", unsetMaxTokens } = offer ?? {};
  const temperature: AgentNumber = {
    field: "temperature",
    label: "Temperature",
    hint: `0 to ${highestTemperature}. Unset: not sent.`,
    placeholder: fixedTemperatureProviders.has(provider) ? "not sent (1)" : "not sent",
    ...(supports.temperature === false && { refused: `${name} does not support temperature.` }),
  };
  const maxTokens: AgentNumber = {
    field: "max_tokens",
    label: "Max tokens",
    hint: maxOutput === undefined ? "Per answer." : `Per answer, up to ${formatCount(maxOutput)}.`,
    placeholder: unsetMaxTokens === undefined ? "not sent" : `${formatCount(unsetMaxTokens)} (required)`,
  };
  return [...ownNumbers, temperature, maxTokens];
}

/** The value that all agents have in common. A default counts as unset; `written`: the text that contains a variable. */
export function limitOf(agents: readonly Agent[], field: AgentNumber["field"]): WrittenLimit {
  const standard = Object.entries(agentDefaults).find(([name]) => name === field)?.[1];
  const limits = agents.map(({ [field]: value, written }) => ({
    value: value === standard ? undefined : value,
    written: written?.[field],
  }));
  const isMixed = new Set(limits.map(({ value, written }) => written ?? value)).size > 1;
  return isMixed ? { value: undefined, isMixed } : (limits[0] ?? { value: undefined });
}

export interface WrittenLimit {
  value: number | undefined;
  written?: string | undefined;
  /** Several agents have different values. */
  isMixed?: boolean;
}

/** As the file has it: a number, or a text with a variable. */
export type WrittenNumber = number | string | undefined;

export function readNumber(text: string): { ok: true; value: WrittenNumber } | { ok: false; message: string } {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: true, value: undefined };
  if (looksUpVariable(trimmed)) return { ok: true, value: trimmed };
  const value = Number(trimmed);
  return Number.isFinite(value)
    ? { ok: true, value }
    : { ok: false, message: `Expected a number, found "${trimmed}".` };
}
