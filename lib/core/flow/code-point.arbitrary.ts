import fc from "fast-check";

const halves = { first: 0xd800, count: 0x800 };

/**
 * Any code point that is no half of a surrogate pair: a `unit` of `fc.string`. The unit `"binary"` of fast-check yields
 * the same, after it has built a table of all code points, which takes seconds.
 */
export const anyCodePoint = fc.nat(0x10_ffff - halves.count).map(
  (index) => String.fromCodePoint(index < halves.first ? index : index + halves.count),
  (text) => {
    const codePoint = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (codePoint === undefined || String.fromCodePoint(codePoint) !== text) throw new Error("not one code point");
    if (codePoint < halves.first) return codePoint;
    if (codePoint < halves.first + halves.count) throw new Error("half of a surrogate pair");
    return codePoint - halves.count;
  },
);
