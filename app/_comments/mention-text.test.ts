import { expect, it } from "vitest";
import { findMembers, findQuery, toBody, toDraft, toMarkdown } from "./mention-text";

const members = [
  { id: "1", name: "Ann" },
  { id: "2", name: "Ann Lee" },
  { id: "3", name: "Bo" },
];

it("stores mentions by id, of the longest name that fits", () => {
  expect(toBody("@Ann Lee and @Ann, (@Bo)", members)).toBe("@[Ann Lee](2) and @[Ann](1), (@[Bo](3))");
});

it("takes no mail address and no longer word for a mention", () => {
  expect(toBody("me@Bo, @Bob, @ Bo, @Anna", members)).toBe("me@Bo, @Bob, @ Bo, @Anna");
});

it("edits what is stored by names, and stores the same again", () => {
  const body = "@[Ann Lee](2) and @[Bo](3)";
  expect(toDraft(body)).toBe("@Ann Lee and @Bo");
  expect(toBody(toDraft(body), members)).toBe(body);
});

it("shows names as text, whatever they hold", () => {
  expect(toMarkdown("@[A*_`<b>](1)!")).toBe("**@A\\*\\_\\`\\<b\\>**!");
});

it("finds the name that is being typed, and the members that it may be", () => {
  expect(findQuery("Hi @an", 6)).toEqual({ start: 3, query: "an" });
  expect(findQuery("Hi @an", 2)).toBeNull();
  expect(findQuery("a@b", 3)).toBeNull();
  expect(findMembers(members, "le").map(({ id }) => id)).toEqual(["2"]);
  expect(findMembers(members, "").map(({ id }) => id)).toEqual(["1", "2", "3"]);
  expect(findMembers(members, "bo ")).toEqual([]);
});
