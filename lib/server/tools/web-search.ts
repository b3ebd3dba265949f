import "server-only";
import { z } from "zod";
import type { Env } from "../env";
import { defineTool } from "./define-tool";
import { findMissing, findSearch } from "./search/services";

/** Searches the web with the service that is set up. */
export const createWebSearch = (env: () => Partial<Env>) =>
  defineTool({
    name: "web_search",
    description: "Searches the web and answers with title, URL and snippet of the best results.",
    input: z.strictObject({
      query: z.string().trim().min(1).max(400).describe("What to search for, in a few words"),
      max_results: z.int().min(1).max(10).default(5).describe("How many results, 1 to 10. Default: 5"),
    }),
    execute: async ({ query, max_results }, { signal }) => {
      const search = findSearch(env());
      if (!search) throw new Error(`web search is off: an administrator turns it on by setting ${findMissing(env())}`);
      return search(query, max_results, signal);
    },
  });
