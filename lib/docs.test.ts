import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");
const content = "app/docs/_content";
const pages = ["README.md", ...readdirSync(path.join(root, content)).map((name) => path.join(content, name))];
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

/** The anchor of a heading, as GitHub makes it. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");

it.each(pages)("%s has no broken link", (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => String(link));
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? page : path.join(path.dirname(page), file);
    if (!existsSync(path.join(root, target))) return true;
    if (anchor === undefined) return false;
    return ![...read(target).matchAll(/^#+ (.+)$/gm)].some(([, heading]) => toAnchor(String(heading)) === anchor);
  });
  expect(broken).toEqual([]);
});

it("README.md has at most 150 lines", () => {
  expect(read("README.md").split("\n").length).toBeLessThanOrEqual(150);
});
