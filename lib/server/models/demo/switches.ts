import "server-only";
import type { ModelFailure } from "@/lib/core/run/ports/model";
import { classify } from "../call/failure";
import { parseJson } from "../json";

/** What words such as `demo: error 429` in an agent's instructions or input ask the demo provider to show. */
export interface Switches {
  /** Fail like a provider that answers with this status. */
  failure?: ModelFailure;
  /** Take long, to show time-outs and cancelling. */
  slow: boolean;
  /** Call this tool with these arguments, whatever the task is. */
  call?: { name: string; arguments: string };
}

const errorPattern = /\bdemo:\s*error\s+(\d{3})\b/i;
const slowPattern = /\bdemo:\s*slow\b/i;
const callPattern = /\bdemo:\s*call\s+([\w.-]+)[ \t]*/i;

export function readSwitches(text: string): Switches {
  const status = Number(errorPattern.exec(text)?.[1] ?? 0);
  const call = callPattern.exec(text);
  return {
    slow: slowPattern.test(text),
    failure: status >= 400 ? failureOf(status) : undefined,
    call: call?.[1]
      ? { name: call[1], arguments: findObject(text, call.index + call[0].length)?.text ?? "{}" }
      : undefined,
  };
}

/** `text` without its switches, so that an answer that quotes it does not set them off again. */
export function removeSwitches(text: string): string {
  let remainingText = text;
  for (let call = callPattern.exec(remainingText); call; call = callPattern.exec(remainingText)) {
    const end = call.index + call[0].length;
    remainingText =
      remainingText.slice(0, call.index) + remainingText.slice(findObject(remainingText, end)?.end ?? end);
  }
  return remainingText.replace(new RegExp(`(?:${errorPattern.source}|${slowPattern.source})[.;]?`, "gi"), "").trim();
}

/** The JSON object that begins at `from`: the shortest text up to a closing brace that reads as JSON. */
function findObject(text: string, start: number): { text: string; end: number } | null {
  if (text.charAt(start) !== "{") return null;
  const furthest = start + 2000;
  for (let end = text.indexOf("}", start); end >= 0 && end < furthest; end = text.indexOf("}", end + 1)) {
    const candidate = text.slice(start, end + 1);
    if (parseJson(candidate) !== undefined) return { text: candidate, end: end + 1 };
  }
  return null;
}

function failureOf(status: number): ModelFailure {
  const message = `Simulated error ${status}: the text holds "demo: error ${status}". Remove these words to let the run go on.`;
  return { class: classify({ status, message }), status, message, ...(status === 429 && { retryAfterMs: 1000 }) };
}
