import "server-only";
import { z } from "zod";
import type { Tool } from "@/lib/core/run/ports/tool";
import { defineTool } from "./define-tool";
import { findMissing, findSearch, type SearchEnv } from "./search/services";

const inputSchema = z.strictObject({
  query: z.string().trim().min(1).max(400).describe("What to search for, in a few words"),
  max_results: z.int().min(1).max(10).default(5).describe("How many results, 1 to 10. Default: 5"),
});

/** Searches the web with the service that is set up. */
export const createWebSearch = (env: () => SearchEnv): Tool<z.infer<typeof inputSchema>> =>
  defineTool({
    name: "web_search",
    description: "Searches the web and answers with title, URL and snippet of the best results.",
    input: inputSchema,
    execute: async ({ query, max_results }, { signal }) => {
      const search = findSearch(env());
      if (!search) throw new Error(`web search is off: an administrator turns it on by setting ${findMissing(env())}`);
      return search(query, max_results, signal);
    },
  });
