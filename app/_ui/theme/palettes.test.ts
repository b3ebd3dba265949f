import { describe, expect, it } from "vitest";
import { palettes } from "@/lib/core/source/formats/export/svg/palettes";
import { themeTokens } from "./testing/theme-tokens";

describe.each(["light", "dark"] as const)("the %s palette of pictures", (theme) => {
  const { agents, notes, ...colors } = palettes[theme];
  const tokens = themeTokens[theme];

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
      changes: {
        added: tokens.get("success"),
        removed: tokens.get("danger"),
        changed: tokens.get("warning"),
        renamed: tokens.get("accent-text"),
      },
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
