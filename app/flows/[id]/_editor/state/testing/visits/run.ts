/**
 * `npm run fuzz:visits -- [--seeds 100] [--from 1] [--parallel 4]`: three pages of the editor in two browsers, on one server, whose
 * users write words in the flow and in notes while pages die and networks fail as each seed says; in the end each word must be there once, and every page
 * alike. `--anew`: the shared document begins anew at times. `--without` takes a mend out of the code (see `mends.ts`). It runs
 * in real time: a seed repeats its choices, not their moments. Prints a line for each seed, and of a bad one what happened. Exit
 * code 1 where a seed was bad.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { startVitest, type Vite } from "vitest/node";
import { readWithout } from "@/lib/simulate/program/mends";
import { isMend, mends } from "./mends";
import "./options";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    parallel: { type: "string", default: "4" },
    anew: { type: "boolean", default: false },
    without: { type: "string" },
  },
});

function readCount(name: "seeds" | "from" | "parallel"): number {
  const text = values[name];
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`expected a whole number from 1 on after --${name}, found "${text}"`);
}

const root = path.join(import.meta.dirname, "../../../../../../..");

/** Replaces a file by the same without a mend. */
function takeOut(mend: string): Vite.Plugin {
  if (!isMend(mend)) throw new Error(`expected ${Object.keys(mends).join(", ")} after --without, found "${mend}"`);
  const file = path.join(root, mends[mend].file);
  const text = readWithout(mends[mend], root);
  return { name: "without-mend", enforce: "pre", load: (id) => (path.normalize(id) === file ? text : null) };
}

const visits = {
  seeds: readCount("seeds"),
  from: readCount("from"),
  parallel: readCount("parallel"),
  anew: values.anew,
};
const config = path.join(root, ".config/vitest.fuzz.config.ts");
const plugins = values.without === undefined ? [] : [takeOut(values.without)];
const vitest = await startVitest("test", [], { root, config, watch: false, provide: { visits } }, { plugins });
await vitest.close();
