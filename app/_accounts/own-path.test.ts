import { expect, test } from "vitest";
import { toOwnPath } from "./own-path";

test("a path of this server is where a visitor goes on to", () => {
  for (const path of ["/", "/flows/a?run=b#c", "/runs?flow=a&q=https://example.org", "/invitations/t_-1"])
    expect(toOwnPath(path)).toBe(path);
});

test("an address that leads elsewhere is not", () => {
  const foreign = [
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "/a\\b",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    " /a",
    "https://evil.example",
    "javascript:alert(1)",
    "evil",
    "",
  ];
  for (const path of [...foreign, undefined, ["/a", "/b"]]) expect(toOwnPath(path)).toBe("/");
});
