import { describe, expect, it } from "vitest";
import type { Agent } from "@/lib/core/kinds/agent";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { setTool, toggleEntry } from "./agent-edits";
import { limitOf } from "./agent-numbers";

const base = flowOf("a").agents.get("a");
const agentOf = (fields: Partial<Agent>): Agent => {
  if (!base) throw new Error("the test flow has no agent called a");
  return { ...base, ...fields };
};

describe("tools of an agent", () => {
  const agent = agentOf({ tools: ["search", "read"], needs_approval: ["read"] });

  it("lose their approval when they are removed", () => {
    expect(setTool(agent, "read", false)).toEqual([
      { type: "set-agent-field", name: "a", field: "tools", value: ["search"] },
      { type: "set-agent-field", name: "a", field: "needs_approval", value: undefined },
    ]);
  });

  it("are added at the end, once", () => {
    expect(setTool(agent, "search", true)).toMatchObject([{ field: "tools", value: ["read", "search"] }]);
    expect(toggleEntry(agent, "needs_approval", "search", true)).toMatchObject({ value: ["read", "search"] });
  });
});

describe("limitOf", () => {
  it.each([
    ["a default as unset", [{ max_steps: 10 }], { value: undefined }],
    ["a value that all agents share", [{ max_steps: 4 }, { max_steps: 4 }], { value: 4 }],
    ["different values as mixed", [{ max_steps: 4 }, {}], { value: undefined, isMixed: true }],
  ])("reads %s", (_, agents, limit) => {
    expect(limitOf(agents.map(agentOf), "max_steps")).toMatchObject(limit);
  });
});
