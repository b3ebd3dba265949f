import { expect, it } from "vitest";
import { describeInvalid } from "./describe-invalid";

const valid = { valueMissing: false, typeMismatch: false, tooShort: false };

it.each([
  [{ valueMissing: true }, "E-mail is missing."],
  [{ tooShort: true }, "E-mail: enter at least 10 characters."],
  [{ typeMismatch: true }, "E-mail: enter a whole address with an @, for example ada@example.org."],
  [{}, "E-mail: The browser's words."],
])("a field with %j is described", (validity, words) => {
  const field = { type: "email", minLength: 10, validationMessage: "The browser's words." };
  expect(describeInvalid("E-mail", { ...field, validity: { ...valid, ...validity } })).toBe(words);
});
