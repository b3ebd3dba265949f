import { expect, test } from "vitest";
import { runErrorCodes } from "../../run/events/run-errors";
import { helpFor } from "./failure-help";

test.each([...runErrorCodes, "of-a-later-version"])("%s has something that helps, each once", (code) => {
  const entries = helpFor(code);
  expect(entries.length).toBeGreaterThan(0);
  expect(new Set(entries.map(({ todo }) => todo)).size).toBe(entries.length);
});
