import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { palettes } from "./palettes";

const css = readFileSync(path.join(import.meta.dirname, "../../../../../../app/globals.css"), "utf8");

/** The colours of the first block that begins with this selector. */
function tokensOf(selector: string): ReadonlyMap<string, string> {
  const start = css.indexOf(`\n${selector} {`);
  const block = css.slice(start, css.indexOf("\n}", start));
  return new Map([...block.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name = "", color = ""]) => [name, color]));
}

const themes = { light: tokensOf(":root"), dark: tokensOf('[data-theme="dark"]') };

describe.each(["light", "dark"] as const)("the %s palette of pictures", (theme) => {
  const { agents, notes, ...colors } = palettes[theme];
  const tokens = themes[theme];

  it("has the colours of the app's canvas", () => {
    expect(colors).toEqual({
      canvas: tokens.get("canvas"),
      card: tokens.get("surface-raised"),
      frame: tokens.get("frame-fill"),
      line: tokens.get("line-strong"),
      border: tokens.get("frame"),
      chip: tokens.get("surface-hover"),
      onAgent: tokens.get("on-agent"),
      edge: tokens.get("link"),
      text: tokens.get("text"),
      muted: tokens.get("text-muted"),
      danger: tokens.get("danger"),
      mark: tokens.get("link-taken"),
    });
  });

  it("has all identity colours, in order", () => {
    const identities = [...tokens].filter(([name]) => /^agent-\d+$/.test(name));
    expect(agents).toEqual(identities.map(([, color]) => color));
  });

  it("has all colours of notes", () => {
    const noteColors = [...tokens].filter(([name]) => name.startsWith("note-"));
    expect(notes).toEqual(Object.fromEntries(noteColors.map(([name, color]) => [name.slice("note-".length), color])));
  });
});
