import "server-only";
import { z } from "zod";
import { readPages } from "@/lib/templates/files";
import { defineTool } from "./define-tool";

const pages = readPages();
const names = [...pages.keys()];

/** Reads one of the texts that come with the app. Nothing is fetched, and no other file can be named. */
export const readPage = defineTool({
  name: "read_page",
  description: `Reads a page of text and answers with the whole of it. Use it to find facts and sources. Pages: ${names.join(", ")}.`,
  input: z.strictObject({
    page: z.string().min(1).max(200).describe("Name of the page").meta({ examples: names }),
  }),
  execute: async ({ page }) => {
    const text = pages.get(page.trim().toLowerCase().replace(/\.md$/, ""));
    if (text === undefined) throw new Error(`there is no page "${page}"; the pages are ${names.join(", ")}`);
    return text;
  },
});
