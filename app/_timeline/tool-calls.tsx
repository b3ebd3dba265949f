import * as z from "zod/mini";
import { type ToolCall, toolCallSchema } from "@/lib/core/run/messages";
import type { RunNode } from "@/lib/core/trace/run-state";

const callsSchema = z.array(toolCallSchema);

/** The tools that a model call asked for, as the engine keeps them in its metadata. */
export const toolCallsOf = ({ metadata }: RunNode): readonly ToolCall[] =>
  callsSchema.safeParse(metadata.toolCalls).data ?? [];

/** Requests of a model to run tools: name and arguments as it wrote them. */
export function ToolCalls({ calls }: { calls: readonly ToolCall[] }) {
  return (
    <ul aria-label="Tool calls" className="flex flex-col gap-1">
      {calls.map((call) => (
        <li
          key={call.id}
          className="whitespace-pre-wrap rounded-md border border-line bg-surface-sunken px-2 py-1 font-mono text-xs leading-5 [overflow-wrap:anywhere]"
        >
          <span className="font-semibold">{call.name}</span>({call.arguments})
        </li>
      ))}
    </ul>
  );
}
