import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PromptWaiting, WaitingPrompt } from "./prompt-waiting";

it("shows the whole text until its editor is loaded", () => {
  const value = { value: "Find facts.\nBe brief.", placeholder: "What it does" };
  const html = renderToStaticMarkup(createElement(WaitingPrompt.Provider, { value }, createElement(PromptWaiting)));
  expect(html).toContain("Find facts.\nBe brief.</textarea>");
  expect(html).toContain('aria-label="Text, while its editor is loading"');
});
