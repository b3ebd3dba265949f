import { describe, expect, it } from "vitest";
import { toStepFacts } from "./step-facts";

describe("the facts of a step", () => {
  it("are in words", () => {
    const metadata = {
      order: "parallel",
      taken: "if_false",
      finishReason: "stop",
      httpStatus: 200,
      signature: ["a", "b"],
    };
    expect(toStepFacts(metadata)).toEqual([
      ["Members ran", "at once"],
      ["Branch taken", "If false"],
      ["Finish reason", "stop"],
      ["HTTP status", "200"],
      ["Repeated calls", "a\nb"],
    ]);
  });

  it("leave out what is not the case, and what is shown elsewhere", () => {
    expect(toStepFacts({ isError: false, wasTrimmed: false, reused: true, decision: 2 })).toEqual([]);
    expect(toStepFacts({ isError: true })).toEqual([["Result", expect.stringContaining("error")]]);
  });
});
