import { readdirSync, readFileSync } from "node:fs";
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

test("each link of a page leads to a page, to a heading that is there, or to a file of the sources", () => {
  const lost: string[] = [];
  for (const name of Object.keys(docPages))
    for (const [, href = ""] of read(name).matchAll(/\]\(([^)\s]+)\)/g)) {
      const [, page = name, anchor] = /^\/docs\/([\w-]+)#(.+)$/.exec(toDocAddress(href) ?? "") ?? [];
      if (anchor === undefined) continue;
      const anchors = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => toAnchor(heading));
      if (!anchors.includes(anchor)) lost.push(`${name}.md: ${href}`);
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

test("each part of the app has a page that describes it", () => {
  for (const address of ["/", "/flows/x", "/runs", "/triggers", "/settings/tools", "/audit", "/inbox", "/docs/api"])
    expect(isDocPage(/^\/docs\/([\w-]+)/.exec(findHelp(address))?.[1] ?? "")).toBe(true);
  expect([findHelp("/"), findHelp("/runs/x"), findHelp("/triggers")]).toEqual([
    "/docs/editor",
    "/docs/runs",
    "/docs/runs#triggers",
  ]);
});
