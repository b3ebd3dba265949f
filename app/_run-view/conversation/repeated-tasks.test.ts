import { describe, expect, it } from "vitest";
import type { ConversationEntry } from "@/lib/core/trace/conversation/conversation-entries";
import { findRepeatedTasks } from "./repeated-tasks";

const long = "A long text. ".repeat(20);
const turn = (id: number, type: ConversationEntry["type"], name: string, text: string): ConversationEntry => ({
  ...{ id, node: id, type, at: id, about: "", text },
  agent: { path: name, name },
});

describe("tasks that repeat a text", () => {
  it("name the turn that has it", () => {
    const turns = [
      turn(1, "given", "a", long),
      turn(2, "given", "b", long),
      turn(3, "answer", "a", `${long}!`),
      turn(4, "given", "c", `${long}!`),
    ];
    expect([...findRepeatedTasks(turns)]).toEqual([
      [2, "the task of a"],
      [4, "the answer of a"],
    ]);
  });

  it("are none that are short, of another length, or no tasks", () => {
    const turns = [
      turn(1, "given", "a", "short"),
      turn(2, "given", "b", "short"),
      turn(3, "answer", "a", long),
      { ...turn(4, "given", "b", long), length: 9000 },
      turn(5, "answer", "b", long),
    ];
    expect(findRepeatedTasks(turns).size).toBe(0);
  });
});
