import "server-only";
import { countPayloadTokens, countTokens } from "@/lib/core/run/events/count-tokens";
import { addUsage, noUsage, type Usage } from "@/lib/core/run/events/usage";
import type { RunNode } from "@/lib/core/trace/model/run-state";

/**
 * What a model call used whose process ended: its failed attempts, and the one under way, estimated from its messages and
 * from what it had answered. The price is not known here, so that its cost is unknown unless the model is a simulated one.
 */
export function estimateOpenCall(call: RunNode, isSimulated: boolean): Usage {
  const { request, attempts, input, output, reasoning, name, usage } = call;
  const lastAttempt = attempts.at(-1);
  const isUnderWay = request !== undefined && (lastAttempt === undefined || lastAttempt.at < (request.at ?? 0));
  if (!isUnderWay) return usage;
  return addUsage(usage, {
    ...noUsage,
    input: countPayloadTokens(input),
    output: countTokens(output.text) + countTokens(reasoning),
    calls: 1,
    cost: isSimulated || name.startsWith("demo:") ? 0 : null,
    estimated: true,
  });
}
