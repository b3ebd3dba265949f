import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PlainMarkdown } from "./markdown";

const toWords = (text: string): string =>
  renderToStaticMarkup(createElement(PlainMarkdown, { text })).replace(/\s+/g, " ").trim();

it.each([
  ["Call read_page, then current_time.", "Call read_page, then current_time."],
  ["240 * 85 = 20400", "240 * 85 = 20400"],
  ["# Plan\n\n- **first** step\n- _second_ `step_2`", "Plan first step second step_2"],
  ["See [the site](https://example.com) ~~now~~", "See the site now"],
  ["| a | b |\n|---|---|\n| 1 | 2 |", "a b 1 2"],
  ["```ts\nconst a_b = 2 * 3;\n```", "const a_b = 2 * 3;"],
  ["1 &lt; 2 <b>bold</b>", "1 &lt; 2 &lt;b&gt;bold&lt;/b&gt;"],
  [`A picture: data:image/png;base64,${"iVBORw0KGgo".repeat(40)} of bees`, "A picture: … of bees"],
])("%j in words", (text, words) => {
  expect(toWords(text)).toBe(words);
});
