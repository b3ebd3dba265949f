import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { readSource } from "@/lib/core/source/read-source";
import { toBenchSource } from "./bench-source";

describe("toBenchSource", () => {
  it.each([1, 2, 9, 10, 11, 12, 99, 250])("%i agents: all of them in the flow, without a problem", (agents) => {
    for (const groups of [false, true]) {
      const { flow, problems } = readSource(toBenchSource({ agents, groups }));
      expect(problems).toEqual([]);
      const { nodes } = arrangeFlow(flow, emptyLayout);
      expect(nodes.filter(({ type: kind, placed }) => kind === "agent" && placed)).toHaveLength(agents);
      expect(nodes.some(({ frame }) => frame)).toBe(groups && agents > 22);
    }
  });

  it("20,000 agents fit into what is read at all", () => {
    expect(toBenchSource({ agents: 20_000, groups: true }).length).toBeLessThan(2_000_000);
  });

  it("is about as wide as high on the canvas as a screen is", () => {
    const { width, height } = arrangeFlow(readSource(toBenchSource({ agents: 500, groups: false })).flow, emptyLayout, {
      density: "compact",
    });
    expect(width / height).toBeGreaterThan(1);
    expect(width / height).toBeLessThan(2.5);
  });
});
