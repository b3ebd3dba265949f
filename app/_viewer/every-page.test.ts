import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const app = path.join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(path.join(app, file), "utf8");
const files = (name: string): string[] =>
  readdirSync(app, { recursive: true, encoding: "utf8" }).filter((file) => path.basename(file) === name);

/** The layouts over a page, the root's left out: it shows nothing of anyone. */
const layoutsOf = (page: string): string[] =>
  files("layout.tsx").filter((layout) => layout !== "layout.tsx" && page.startsWith(path.dirname(layout) + path.sep));

/** The pages for visitors who are not signed in: they show nothing of a team but to who holds an invitation or a link. */
const publicPages = [
  "embed/[token]/page.tsx",
  "gallery/[id]/page.tsx",
  "gallery/page.tsx",
  "invitations/[token]/page.tsx",
  "reset-password/page.tsx",
  "s/[token]/page.tsx",
  "sign-in/page.tsx",
  "sign-up/page.tsx",
];

test("every page authorises by itself or in a layout over it, beside the gate", () => {
  const open = files("page.tsx").filter((page) => {
    const pattern = publicPages.includes(page) ? /await findAccountVisitor\(\)/ : /await get(Team)?Viewer\(\)/;
    return ![page, ...layoutsOf(page)].some((file) => pattern.test(read(file)));
  });
  expect(files("page.tsx").length).toBeGreaterThan(10);
  expect(open).toEqual([]);
});

/** The routes that authorise in a way of their own, or answer everyone. */
const publicRoutes = [
  "api/auth/[...endpoint]/route.ts",
  "api/health/route.ts",
  "api/hooks/[token]/route.ts",
  "api/ready/route.ts",
  "api/shared/[token]/run/route.ts",
  "api/shared/[token]/runs/[id]/events/route.ts",
  "api/shared/[token]/runs/[id]/route.ts",
  "api/shared/[token]/runs/route.ts",
  "api/v1/openapi.json/route.ts",
];

test("every route of the API authorises by itself, beside the gate", () => {
  const routes = files("route.ts");
  const exported = (file: string): string[] =>
    [...read(file).matchAll(/^export (?:const|async function|function) (\w+)(.*)$/gm)]
      .filter(
        ([, , rest = ""]) =>
          !(publicRoutes.includes(file) ? /^ = publicRoute(<|\()/ : /^ = (route|teamRoute)(<|\()/).test(rest),
      )
      .map(([, name]) => `${file} ${name}`);
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.flatMap(exported)).toEqual([]);
});
