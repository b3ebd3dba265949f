import { describe, expect, it } from "vitest";
import { readNumber } from "@/app/flows/[id]/_editor/panels/inspector/fields/agent-numbers";
import { describeVariable, joinHints } from "./describe-variable";

const look = "$" + "{vars.n}";

describe("a field that looks up a variable", () => {
  it("shows what its text comes to", () => {
    expect(describeVariable(look, 3)).toBe("= 3");
    expect(describeVariable(look, "a\nb")).toBe("= a\\nb");
    expect(describeVariable(look, undefined)).toBe("= undefined: the variable is missing.");
    expect(describeVariable(undefined, 3)).toBeUndefined();
    expect(joinHints("= 3", undefined, "Maximum number of model calls.")).toBe("= 3 · Maximum number of model calls.");
  });

  it("takes a look-up for a number, and no other text", () => {
    expect(readNumber(` ${look} `)).toEqual({ ok: true, value: look });
    expect(readNumber("three")).toMatchObject({ ok: false });
  });
});
