import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { LiveServer } from "../live-server";
import { installGlobals } from "./browser-globals";
import "./options";
import { runSeed } from "./run-seed";

const server = new LiveServer();
beforeAll(async () => {
  await server.start();
  installGlobals(server.url);
});
afterAll(() => server.end());

const { seeds, from, parallel, anew } = inject("visits");

/** Begins a seed as soon as another one has ended. Prints each when it ends. */
async function runSeeds(): Promise<{ bad: number[]; questions: number }> {
  const total = { bad: [] as number[], questions: 0 };
  let next = from;
  const work = async (): Promise<void> => {
    while (next < from + seeds) {
      const { seed, isBad, questions, report } = await runSeed(server, { seed: next++, anew });
      console.log(report);
      total.questions += questions;
      if (isBad) total.bad.push(seed);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return total;
}

it("keeps each word of three writers once, whatever happens to their pages", { timeout: 0 }, async () => {
  const { bad, questions } = await runSeeds();
  console.log(`${seeds} seeds, ${bad.length} bad, ${questions} questions to users`);
  expect(bad).toEqual([]);
});
