/**
 * `npm run test:crash -- [kills] [seed]`: kills executor processes at random moments of mixed runs (200 times unless told
 * otherwise), and checks that every run ends right and nothing that had finished was done again. On a new SQLite database
 * in a temporary folder, or on DATABASE_URL. Exit code 1 on any violation.
 */
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { formatTable } from "../write-figures";
import { CrashTrial } from "./crash-trial";
import { CrashWorld } from "./crash-world";
import { freezeExecutor, resumeInsideLanes } from "./single-trials";

const [kills = "200", seed = String(randomInt(2 ** 31))] = process.argv.slice(2);
const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-crash-"));
process.env.SWARMLOOM_DATA = folder;
process.env.DATABASE_URL ??= `file:${path.join(folder, "crash.db")}`;
console.log(`${kills} kills, seed ${seed}`);

const world = await CrashWorld.open();
const report = await new CrashTrial(world, { kills: Number(kills), seed: Number(seed) }).perform((kill) => {
  if (kill % 20 === 0) console.log(`${kill} kills`);
});
const lanes = await resumeInsideLanes(world);
const freezeFaults = await freezeExecutor(world);
await world.close();
const violations = [
  ...report.repeatedFinished,
  ...report.eventFaults,
  ...report.endFaults,
  ...lanes.faults,
  ...freezeFaults,
];
console.log(
  formatTable(
    ["figure", "value"],
    [
      ["kills", String(report.kills)],
      ["runs", String(report.runs)],
      ["finished calls", String(report.finishedCalls)],
      ["repeated calls that were in flight (allowed)", String(report.repeatedInFlight)],
      ["repeated calls that had finished", String(report.repeatedFinished.length)],
      ["lost, duplicate or disordered events", String(report.eventFaults.length)],
      ["runs with a wrong end", String(report.endFaults.length)],
      ["seconds", report.seconds.toFixed(0)],
      ["median from a kill to the first event of a resumed run, ms", report.medianResumeMs.toFixed(0)],
      ["resumed inside parallel branches of eight steps", `${lanes.resumed} of ${lanes.count}`],
      ["violations after a freeze beyond the lease", String(freezeFaults.length)],
    ],
  ),
);
for (const violation of violations) console.error(violation);
rmSync(folder, { recursive: true, force: true });
process.exit(violations.length > 0 ? 1 : 0);
