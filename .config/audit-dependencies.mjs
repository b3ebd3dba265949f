/** Fails when a package that the product runs with has a known vulnerability of severity high or critical. */
import { spawnSync } from "node:child_process";

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8" });
const report = JSON.parse(stdout || "{}");
const counts = report.metadata?.vulnerabilities;
if (counts === undefined) {
  // Mirrors of the registry may have no advisories to ask for.
  console.warn(`The registry does not tell known vulnerabilities: ${report.message ?? "no answer"}`);
} else if (counts.high + counts.critical > 0) {
  for (const { name, severity } of Object.values(report.vulnerabilities))
    if (severity === "high" || severity === "critical") console.error(`${name}: ${severity}`);
  console.error("Run `npm audit --omit=dev`, and update these packages.");
  process.exit(1);
}
