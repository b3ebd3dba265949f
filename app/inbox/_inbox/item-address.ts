import type { InboxItem } from "@/lib/server/comments/inbox";

/** Where a comment is shown: the step that it is about, else the comments of its flow. */
export function toItemAddress({ flow, target, thread }: Pick<InboxItem, "flow" | "target" | "thread">) {
  if (target.type === "step") return `/runs/${target.run}?node=${target.step}#comments` as const;
  return `/flows/${flow.id}?comment=${thread}` as const;
}
