import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shorten } from "./fit-text";

const within =
  (room: number) =>
  (part: string): boolean =>
    [...part].length <= room;

describe("shorten", () => {
  it("leaves alone what fits", () => {
    expect(shorten("writer", within(6))).toBe("writer");
  });

  it("keeps as much of the beginning as there is room for", () => {
    expect(shorten("researcher", within(6))).toBe("resea…");
    expect(shorten("researcher", within(1))).toBe("…");
  });

  it("is empty where nothing fits", () => {
    expect(shorten("researcher", within(0))).toBe("");
  });

  it("is as long as the room allows, never longer, and never half a letter", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-composite", maxLength: 60 }), fc.nat(70), (text, room) => {
        const short = shorten(text, within(room));
        if (within(room)(text)) expect(short).toBe(text);
        else {
          expect([...short]).toHaveLength(room);
          expect(text.startsWith(short.slice(0, -1))).toBe(true);
          expect(() => encodeURIComponent(short), "a letter is cut in half").not.toThrow();
        }
      }),
    );
  });
});
