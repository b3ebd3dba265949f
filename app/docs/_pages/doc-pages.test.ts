import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { findHelp } from "../../_ui/shell/find-help";
import { docPages, isDocPage, toAnchor, toDocAddress } from "./doc-pages";

const folder = path.join(import.meta.dirname, "../_content");
const read = (name: string): string => readFileSync(path.join(folder, `${name}.md`), "utf8");
/** For those who change the app. */
const ofDevelopers = ["architecture", "decisions"];

test("every file of the docs is a page with its title, or for developers", () => {
  const names = readdirSync(folder).map((file) => path.basename(file, ".md"));
  expect(names.toSorted()).toEqual([...Object.keys(docPages), ...ofDevelopers].toSorted());
  for (const [name, title] of Object.entries(docPages)) expect(read(name).split("\n")[0]).toBe(`# ${title}`);
});

const anchorsOf = (name: string): string[] =>
  [...read(name).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => toAnchor(heading));

/** Whether an address of the docs, or `#heading` of a page of them, leads to something. */
function isThere(address: string, from = ""): boolean {
  const [, page, anchor] = /^(?:\/docs\/([\w-]+))?(?:#(.+))?$/.exec(address) ?? [];
  const name = page ?? from;
  return isDocPage(name) && (anchor === undefined || anchorsOf(name).includes(anchor));
}

/** A link of a file, e.g. `../../../README.md#keys`, whose file is part of the sources. */
const isSource = (href: string): boolean => existsSync(path.join(folder, href.replace(/#.*$/, "")));

test("each link of a page leads to a page, to a heading that is there, or to a file of the sources", () => {
  const lost: string[] = [];
  for (const name of Object.keys(docPages))
    for (const [, href = ""] of read(name).matchAll(/\]\(([^)\s]+)\)/g)) {
      const address = toDocAddress(href);
      const isFound = address === null ? isSource(href) : /^https?:/.test(address) || isThere(address, name);
      if (!isFound) lost.push(`${name}.md: ${href}`);
    }
  expect(lost).toEqual([]);
});

test.each([
  ["teams.md", "/docs/teams"],
  ["operations.md#metrics", "/docs/operations#metrics"],
  ["#security", "#security"],
  ["https://yaml.org", "https://yaml.org"],
  ["decisions.md", null],
  ["../../../README.md#keys", null],
  ["javascript:alert(1)", null],
])("a link to %s leads to %s", (href, address) => expect(toDocAddress(href)).toBe(address));

test.each([
  ["/", "/docs/editor"],
  ["/flows/x", "/docs/editor"],
  ["/runs/x", "/docs/runs"],
  ["/triggers", "/docs/runs#triggers"],
  ["/inbox", "/docs/teams#inbox"],
  ["/audit", "/docs/teams#audit-log"],
  ["/gallery", "/docs/teams#sharing"],
  ["/account", "/docs/teams"],
  ["/settings/team", "/docs/teams"],
  ["/settings/connections", "/docs/configuration#connections"],
  ["/settings/runs", "/docs/operations#retention"],
  ["/settings/tools", "/docs/teams#tools"],
  ["/settings/access", "/docs/http-api"],
  ["/docs/api", "/docs/http-api"],
  ["/docs/runs", "/docs/editor"],
])("help on %s is %s, which is there", (path, address) => {
  expect(findHelp(path)).toBe(address);
  expect(isThere(address)).toBe(true);
});
