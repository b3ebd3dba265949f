import { readFileSync } from "node:fs";
import path from "node:path";

const css = readFileSync(path.join(import.meta.dirname, "../../../globals.css"), "utf8");

/** The colours of the first block that begins with this selector, by token. */
function tokensOf(selector: string): ReadonlyMap<string, string> {
  const start = css.indexOf(`\n${selector} {`);
  const block = css.slice(start, css.indexOf("\n}", start));
  return new Map([...block.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name = "", color = ""]) => [name, color]));
}

export const themeTokens = { light: tokensOf(":root"), dark: tokensOf('[data-theme="dark"]') };
