import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canLookUp,
  fillLookUps,
  fillWithin,
  longestFilled,
  lookUpsIn,
  namePlaces,
  wrongLookUpsIn,
} from "./template-variables";

const look = (inner: string): string => `\${${inner}}`;

describe("look-ups", () => {
  it("are listed once each, in order", () => {
    const text = `${look("input")} ${look("vars.a b")} ${look("date")} ${look("outputs.é/1")} ${look("input")}`;
    expect(lookUpsIn(text)).toEqual([
      { type: "input" },
      { type: "var", name: "a b" },
      { type: "date" },
      { type: "output", name: "é/1" },
    ]);
    expect(
      lookUpsIn(`${look("HOME")} $input {input} ${look("")} ${look("vars.")} ${look(`vars.${"a".repeat(201)}`)}`),
    ).toEqual([]);
  });

  it("are filled with known values, which are not expanded again", () => {
    const text = `${look("vars.a")}, ${look("vars.b")}, ${look("input")}`;
    const filled = fillLookUps(text, (found) =>
      found.type === "input" ? look("vars.a") : found.type === "var" && found.name === "a" ? "$& $1" : null,
    );
    expect(filled).toBe(`$& $1, ${look("vars.b")}, ${look("vars.a")}`);
  });

  it("are filled up to a maximum length; those beyond it remain as written", () => {
    const text = look("vars.a").repeat(250_000);
    const filled = fillLookUps(text, () => "x".repeat(100_000));
    expect(filled.length).toBeLessThan(text.length + longestFilled + 1);
    expect(filled.startsWith("x".repeat(longestFilled))).toBe(true);
    expect(filled.endsWith(look("vars.a"))).toBe(true);
    expect(fillWithin(text, () => "x".repeat(100_000)).complete).toBe(false);
    expect(fillWithin(look("vars.a"), () => "x".repeat(longestFilled)).complete).toBe(true);
  });

  it("that are invalid are listed once", () => {
    expect(
      wrongLookUpsIn(`${look("HOME")} ${look("HOME")} ${look("vars.a")} ${look("output.x")} ${look("Input")}`),
    ).toEqual([look("HOME"), look("output.x"), look("Input")]);
    expect(wrongLookUpsIn(look("input").repeat(100_000))).toEqual([]);
  });

  it("property: the ranges of an output are those of its name", () => {
    const anyName = fc.constantFrom("a", "a b", "vars.a", "outputs.a", ".", "a]", "é");
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            anyName.map((name) => look(`outputs.${name}`)),
            fc.string(),
            anyName,
          ),
        ),
        anyName,
        (parts, name) => {
          const text = parts.join("");
          const places = namePlaces(text, "outputs").filter((place) => place.name === name);
          for (const { from, to } of places) {
            expect(text.slice(from, to)).toBe(name);
            expect(text.slice(0, from).endsWith("${outputs.") && text[to] === "}").toBe(true);
          }
          const found = lookUpsIn(text).some((one) => one.type === "output" && one.name === name);
          expect(places.length > 0).toBe(found);
          if (found) expect(canLookUp(name)).toBe(true);
        },
      ),
    );
  });

  it("cannot contain every name", () => {
    expect(["a b", "x".repeat(200)].every(canLookUp)).toBe(true);
    expect(["", "a}", "{", "$x", "x".repeat(201)].some(canLookUp)).toBe(false);
  });
});
