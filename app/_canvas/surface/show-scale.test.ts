import { describe, expect, it } from "vitest";
import { showScale } from "./show-scale";

/** What `showScale` uses of an element. */
function fakeCanvas() {
  const written: string[] = [];
  const style = new Map<string, string>();
  const canvas = {
    dataset: {} as Record<string, string>,
    style: {
      setProperty: (name: string, value: string) => {
        written.push(name);
        style.set(name, value);
      },
    },
    toggleAttribute: () => true,
  };
  return { canvas: canvas as unknown as HTMLElement, style, written };
}

describe("the scale of the canvas", () => {
  it("keeps names at 11 px on the screen, and never makes them twice as large", () => {
    const { canvas, style } = fakeCanvas();
    for (let zoom = 2; zoom > 0.06; zoom *= 0.97) {
      showScale(canvas, zoom);
      const shown = Number.parseFloat(style.get("--card-name") ?? "") * zoom;
      expect(shown).toBeGreaterThanOrEqual(11);
      if (zoom < 1) expect(shown).toBeLessThan(22);
    }
  });

  it("keeps small text at 9 px on the screen as long as cards have room for it", () => {
    const { canvas, style } = fakeCanvas();
    for (let zoom = 2; zoom > 0.46; zoom *= 0.97) {
      showScale(canvas, zoom);
      expect(Number.parseFloat(style.get("--card-text") ?? "") * zoom).toBeGreaterThanOrEqual(9);
      expect(canvas.dataset.detail).toBe(zoom < 0.75 ? "brief" : "all");
    }
    showScale(canvas, 0.45);
    expect(canvas.dataset.detail).toBe("names");
  });

  it("changes cards a few times only while the view zooms out", () => {
    const { canvas, written } = fakeCanvas();
    for (let zoom = 1.5; zoom > 0.3; zoom *= 0.99) showScale(canvas, zoom);
    expect(written.filter((name) => name === "--card-name").length).toBeLessThanOrEqual(7);
  });
});
