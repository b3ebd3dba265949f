import { describe, expect, it } from "vitest";
import { themeTokens } from "./testing/theme-tokens";

function colorOf(theme: keyof typeof themeTokens, token: string): string {
  const color = themeTokens[theme].get(token);
  if (color === undefined) throw new Error(`--${token} is not a colour of the ${theme} theme`);
  return color;
}

/** Relative luminance by WCAG 2. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const backgrounds = ["surface", "canvas", "surface-raised"];
const lines = ["link", "link-taken", "port", "frame", "line-input", "focus", "accent"];
const texts = ["text", "text-muted", "text-faint", "accent-text", "success", "danger", "warning", "running", "idle"];
const agents = Array.from({ length: 8 }, (_, number) => `agent-${number}`);
const softStatuses = ["success", "danger", "warning", "running", "idle"];

describe.each(["light", "dark"] as const)("the %s theme", (theme) => {
  const contrast = (token: string, background: string): number =>
    contrastOf(colorOf(theme, token), colorOf(theme, background));

  it("is measured as WCAG does", () => {
    expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21);
    expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  });

  it.each([...lines, ...agents])("has lines, marks and borders of 3:1 in --%s (WCAG 1.4.11)", (token) => {
    for (const background of backgrounds) expect(contrast(token, background)).toBeGreaterThanOrEqual(3);
  });

  it.each(["frame", "link", "link-taken", "port"])("has --%s of 3:1 inside of frames", (token) => {
    expect(contrast(token, "frame-fill")).toBeGreaterThanOrEqual(3);
  });

  it.each(texts)("has text of 4.5:1 in --%s (WCAG 1.4.3)", (token) => {
    for (const background of backgrounds) expect(contrast(token, background)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(softStatuses)("has text of 4.5:1 in --%s on its own soft background", (token) => {
    expect(contrast(token, `${token}-soft`)).toBeGreaterThanOrEqual(4.5);
  });

  it("has text of 4.5:1 on filled backgrounds", () => {
    expect(contrast("on-accent", "accent")).toBeGreaterThanOrEqual(4.5);
    for (const agent of agents) expect(contrast("on-agent", agent)).toBeGreaterThanOrEqual(4.5);
    // The flags of a swarm: the card's surface on the text colour.
    expect(contrast("surface-raised", "text")).toBeGreaterThanOrEqual(4.5);
  });
});
