import { hashText } from "../../flow/hash-text";

const toHex = (number: number): string => number.toString(16).padStart(8, "0");

/** 16 bytes as hex: the run's UUID itself, or bytes made of any other id; never all zeros. The same run has the same id wherever it is exported. */
export function toTraceId(runId: string): string {
  const uuid = runId.replaceAll("-", "").toLowerCase();
  if (/^[\da-f]{32}$/.test(uuid) && /[^0]/.test(uuid)) return uuid;
  const hexWords = [1, 2, 3].map((wordNumber) => toHex(hashText(`${wordNumber} ${runId}`)));
  return `5${hexWords.join("").slice(1)}${toHex(hashText(runId))}`;
}

/** 8 bytes as hex, unique within the run: half from the run, half the number of the step, which is 1 or more. */
export const toSpanId = (runId: string, nodeId: number): string => toHex(hashText(runId)) + toHex(nodeId >>> 0);
