import { describe, expect, it } from "vitest";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { flowOf } from "@/lib/core/layout/testing/flow-of";
import { findNextLink } from "./walk-links";

describe("findNextLink", () => {
  const { edges, ...rest } = arrangeFlow(flowOf("a >> (b | c) >> d"), emptyLayout);
  const next = (key: string, edge: string | null) => findNextLink({ edges, ...rest }, key, edge)?.key;

  it("walks the links of a node round and round, those that leave it first", () => {
    expect(next("a", null)).toBe("a//b");
    expect(next("a", "a//b")).toBe("a//c");
    expect(next("a", "a//c")).toBe("a//b");
    expect(next("b", null)).toBe("b//d");
    expect(next("b", "b//d")).toBe("a//b");
    expect(next("missing", null)).toBeUndefined();
  });
});
