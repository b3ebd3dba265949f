import { expect, it } from "vitest";
import { splitCode, toPlainMessage } from "./split-code";

it("splits a message at its code", () => {
  expect(splitCode("`order` lists it. Add it to `agents:`.")).toEqual([
    { text: "order", isCode: true },
    { text: " lists it. Add it to ", isCode: false },
    { text: "agents:", isCode: true },
    { text: ".", isCode: false },
  ]);
});

it.each(["no code", "a single ` is text", "over `a\nline` it is text", ""])("leaves %j as it is", (message) => {
  expect(splitCode(message)).toEqual(message === "" ? [] : [{ text: message, isCode: false }]);
  expect(toPlainMessage(message)).toBe(message);
});

it("puts code in quotes where only text can be shown", () => {
  expect(toPlainMessage("Write `flow: a >> b`.")).toBe('Write "flow: a >> b".');
});
