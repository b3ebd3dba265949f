import { describe, expect, it } from "vitest";
import { readNumber } from "./agent-numbers";
import { joinHints, toLookUpHint } from "./look-up-hint";

const look = "$" + "{vars.n}";

describe("a field that looks up a variable", () => {
  it("shows what its text comes to", () => {
    expect(toLookUpHint(look, 3)).toBe("= 3");
    expect(toLookUpHint(look, "a\nb")).toBe("= a\\nb");
    expect(toLookUpHint(look, undefined)).toBe("= nothing yet: its variable is missing.");
    expect(toLookUpHint(undefined, 3)).toBeUndefined();
    expect(joinHints("= 3", undefined, "Model calls at most.")).toBe("= 3 · Model calls at most.");
  });

  it("takes a look-up for a number, and no other text", () => {
    expect(readNumber(` ${look} `)).toEqual({ ok: true, value: look });
    expect(readNumber("three")).toMatchObject({ ok: false });
  });
});
