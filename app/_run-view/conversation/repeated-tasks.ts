import type { ConversationEntry } from "@/lib/core/trace/conversation/conversation-entries";

/** Shorter tasks are as quickly read as a sentence about them. */
const minLength = 160;

/** Of tasks whose whole text an earlier turn has: which turn that is, by the ids of the tasks. */
export function findRepeatedTasks(turns: readonly ConversationEntry[]): ReadonlyMap<number, string> {
  const earlier = new Map<string, string>();
  const repeated = new Map<number, string>();
  for (const { id, type, text, length, agent } of turns) {
    if ((type !== "given" && type !== "answer") || text.length < minLength) continue;
    const key = `${length ?? ""} ${text}`;
    const source = earlier.get(key);
    if (type === "given" && source !== undefined) repeated.set(id, source);
    else earlier.set(key, type === "answer" ? `the answer of ${agent.name}` : `the task of ${agent.name}`);
  }
  return repeated;
}
