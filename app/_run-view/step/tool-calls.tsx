import type { ToolCall } from "@/lib/core/run/events/messages";
import { PlainText } from "../text/plain-text";

export function ToolCalls({ calls }: { calls: readonly ToolCall[] }) {
  return (
    <ul aria-label="Tool calls" className="flex flex-col gap-1">
      {calls.map((call) => (
        <li
          key={call.id}
          className="whitespace-pre-wrap rounded-md border border-line bg-surface-sunken px-2 py-1 font-mono text-xs leading-5 [overflow-wrap:anywhere]"
        >
          <span className="font-semibold">{call.name}</span>(<PlainText text={call.arguments} />)
        </li>
      ))}
    </ul>
  );
}
