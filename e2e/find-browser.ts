import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { chromium } from "@playwright/test";

const systemNames = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const systemPlaces = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

function findSystemBrowser(): string | undefined {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  const candidates = [
    ...systemNames.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    ...systemPlaces,
  ];
  return candidates.find((file) => existsSync(file));
}

function findDownloaded(): string | undefined {
  const file = chromium.executablePath();
  return existsSync(file) ? file : undefined;
}

function downloadWithPlaywright(): string | undefined {
  const cli = path.join(
    path.dirname(createRequire(import.meta.url).resolve("@playwright/test/package.json")),
    "cli.js",
  );
  spawnSync(process.execPath, [cli, "install", "chromium"], { stdio: "inherit", timeout: 600_000 });
  return findDownloaded();
}

function installFromDebian(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update", "-q"], { stdio: "inherit", env });
  spawnSync("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium"], { stdio: "inherit", env });
  return findSystemBrowser();
}

/**
 * A Chromium that starts: `CHROMIUM_PATH`, a system Chromium or Chrome, Playwright's own (downloaded where that is
 * possible), Debian's package where this process may install it. Throws with what to do when there is none.
 */
export function findBrowser(): string {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (!existsSync(chosen))
      throw new Error(`CHROMIUM_PATH is ${chosen}, and there is no such file. Point it at a Chromium or unset it.`);
    return chosen;
  }
  const found = findSystemBrowser() ?? findDownloaded() ?? downloadWithPlaywright() ?? installFromDebian();
  if (!found)
    throw new Error(
      "No Chromium found for the browser tests, and none could be downloaded. Install one (Debian: apt-get install chromium; macOS: brew install --cask chromium) or set CHROMIUM_PATH to its program file.",
    );
  execFileSync(found, ["--version"], { stdio: "ignore" });
  return found;
}
