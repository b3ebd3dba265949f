import { expect, it } from "vitest";
import { RequestError } from "../_ui/loading/fetch-json";
import { findMissingProvider } from "./missing-provider";

const missing = (provider: string) => ({ code: "missing-key", message: "No key.", provider });
const refused = (...problems: { code: string; message: string; provider?: string }[]) =>
  new RequestError("bad_request", "The flow cannot run yet.", 400, { problems });

it("names the first provider that lacks only its key", () => {
  expect(findMissingProvider(refused(missing("openai"), missing("google")))).toBe("openai");
});

it.each([
  ["another problem", refused(missing("openai"), { code: "empty-flow", message: "Empty." })],
  ["no details", new RequestError("network", "No answer.", 0)],
  ["no problems", refused()],
  ["another error", new Error("missing-key")],
])("names none for %s", (_, error) => {
  expect(findMissingProvider(error)).toBeNull();
});
