import { expect, it } from "vitest";
import { toCopyName } from "./copy-name";

const copyOf = (name: string, ...taken: string[]): string => toCopyName(name, (candidate) => taken.includes(candidate));

it("counts copies up", () => {
  expect(copyOf("Article")).toBe("Article (copy)");
  expect(copyOf("Article", "Article (copy)")).toBe("Article (copy 2)");
  expect(copyOf("Article", "Article (copy)", "Article (copy 2)")).toBe("Article (copy 3)");
  expect(copyOf("Article (copy)", "Article", "Article (copy)")).toBe("Article (copy 2)");
  expect(copyOf("Article (copy 2)", "Article (copy 2)")).toBe("Article (copy)");
});

it("keeps names within their length", () => {
  expect(copyOf("x".repeat(200), `${"x".repeat(193)} (copy)`)).toBe(`${"x".repeat(191)} (copy 2)`);
});
