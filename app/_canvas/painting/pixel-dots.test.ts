import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PixelBuffer } from "./pixel-dots";

const opacities = ({ data }: PixelBuffer): number[] => [...data].map((pixel) => pixel >>> 24);

describe("boxes as pixels", () => {
  it("fills whole pixels, and parts of them as far as they are covered", () => {
    const pixels = new PixelBuffer(4, 2);
    pixels.fill(0xaa_12_34_56, 0.5, 0, 2, 1.25);
    expect(opacities(pixels)).toEqual([128, 255, 128, 0, 32, 64, 32, 0]);
    expect(pixels.data[1]).toBe(0xff_12_34_56);
  });

  it("shows of two boxes the one that covers more of a pixel", () => {
    const pixels = new PixelBuffer(1, 1);
    pixels.fill(1, 0, 0, 0.75, 1);
    pixels.fill(2, 0.75, 0, 0.25, 1);
    expect((pixels.data[0] ?? 0) & 0xffffff).toBe(1);
  });

  it("covers as much as the box and the picture have in common, and nothing else", () => {
    const size = 12;
    const place = fc.nat(300).map((number) => number / 10 - 9);
    const extent = fc.nat(200).map((number) => number / 10);
    fc.assert(
      fc.property(place, place, extent, extent, (x, y, width, height) => {
        const pixels = new PixelBuffer(size, size);
        pixels.fill(0xffffff, x, y, width, height);
        const within = (from: number, length: number) => Math.max(0, Math.min(size, from + length) - Math.max(0, from));
        const covered = opacities(pixels).reduce((sum, opacity) => sum + opacity / 255, 0);
        // Each pixel is rounded to one of 256 opacities.
        expect(Math.abs(covered - within(x, width) * within(y, height))).toBeLessThan((size * size) / 510 + 1e-6);
        opacities(pixels).forEach((opacity, index) => {
          const [column, row] = [index % size, Math.floor(index / size)];
          const outside = column + 1 <= x || column >= x + width || row + 1 <= y || row >= y + height;
          if (outside) expect(opacity).toBe(0);
        });
      }),
    );
  });
});
