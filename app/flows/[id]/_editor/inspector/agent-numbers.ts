import type { AgentField } from "@/lib/core/flow/edit";
import { agentDefaults } from "@/lib/core/flow/flow";

/** A number of an agent, as the inspector offers it. Unset fields are not sent to the provider. */
export interface AgentNumber {
  field: Extract<AgentField, "max_steps" | "max_retries" | "temperature" | "max_tokens" | "timeout_seconds">;
  label: string;
  hint: string;
  placeholder: string;
}

export const agentNumbers: readonly AgentNumber[] = [
  {
    field: "max_steps",
    label: "Max steps",
    hint: "Model calls at most.",
    placeholder: String(agentDefaults.max_steps),
  },
  {
    field: "max_retries",
    label: "Max retries",
    hint: "After errors that may pass.",
    placeholder: String(agentDefaults.max_retries),
  },
  { field: "temperature", label: "Temperature", hint: "0 to 2. Unset: not sent.", placeholder: "not sent" },
  { field: "max_tokens", label: "Max tokens", hint: "Of one answer. Unset: not sent.", placeholder: "not sent" },
  { field: "timeout_seconds", label: "Timeout, seconds", hint: "For the whole agent.", placeholder: "none" },
];

/** The number that was typed: empty text unsets, anything that is no number is refused with the reason. */
export function readNumber(text: string): { ok: true; value: number | undefined } | { ok: false; message: string } {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: true, value: undefined };
  const value = Number(trimmed);
  return Number.isFinite(value)
    ? { ok: true, value }
    : { ok: false, message: `Expected a number, found "${trimmed}".` };
}
