import "server-only";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Template } from "./template";

/**
 * This folder: that of this file when it runs from source (command line, tests), below the working directory when it
 * runs from a bundle (the server is always started in the project's folder).
 */
function findFolder(): string {
  const fromSource = import.meta.url.startsWith("file:") ? path.dirname(fileURLToPath(import.meta.url)) : "";
  const candidates = [fromSource, path.join(/* turbopackIgnore: true */ process.cwd(), "lib", "templates")];
  const folder = candidates.find((candidate) => existsSync(path.join(/* turbopackIgnore: true */ candidate, "pages")));
  if (folder === undefined)
    throw new Error(`the example flows are missing: expected them in ${candidates.filter(Boolean).join(" or ")}`);
  return folder;
}

/** Texts of the files in `folder` that end in `extension`, by name without it, sorted. */
function readTexts(folder: string, extension: string): Map<string, string> {
  const names = readdirSync(/* turbopackIgnore: true */ folder).filter((file) => file.endsWith(extension));
  return new Map(
    names
      .sort()
      .map((file) => [
        path.basename(file, extension),
        readFileSync(path.join(/* turbopackIgnore: true */ folder, file), "utf8"),
      ]),
  );
}

/** The example flows: source text by template name, such as `demo-article`. */
export const readTemplates = (): Map<string, string> => readTexts(findFolder(), ".yaml");

/** The templates of a tour through the constructs, which come first; all others by name. */
const tour = ["hello", "chain", "parallel", "nested", "branch", "router", "loop", "handoff", "team", "orchestrate"];
const tourIndex = (name: string): number => (tour.includes(name) ? tour.indexOf(name) : tour.length);

/** The example flows for a gallery. */
export function listTemplates(): Template[] {
  const templates = [...readTemplates()].map(([name, source]) => {
    const comments = /^(?:#.*\r?\n)+/.exec(source)?.[0] ?? "";
    const title = /^name: (.+)$/m.exec(source)?.[1] ?? name;
    const text = comments.replaceAll(/^# ?/gm, "").replaceAll(/\s+/g, " ").trim();
    const about = text.startsWith(`${title}: `) ? text.slice(title.length + 2) : text;
    return { name, title, about: about.slice(0, 1).toUpperCase() + about.slice(1), source };
  });
  return templates.sort((a, b) => tourIndex(a.name) - tourIndex(b.name));
}

/** The bundled texts of the tool `read_page`, by page name. */
export const readPages = (): Map<string, string> => readTexts(path.join(findFolder(), "pages"), ".md");
