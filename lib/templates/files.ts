import "server-only";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { toThumbnail } from "@/lib/core/layout/thumbnail/to-thumbnail";
import { readSource } from "@/lib/core/source/read-source";
import { templatesByUse } from "./catalog";
import { demoInput } from "./demo-input";
import type { Template } from "./template";

/**
 * This folder: two levels above this file and above every bundle of the command line, or below the working directory where the
 * server's pages are a bundle of Next (it is always started in the project's folder).
 */
function findFolder(): string {
  const fromFile = import.meta.url.startsWith("file:")
    ? path.join(/* turbopackIgnore: true */ path.dirname(fileURLToPath(import.meta.url)), "../../lib/templates")
    : "";
  const candidates = [fromFile, path.join(/* turbopackIgnore: true */ process.cwd(), "lib", "templates")];
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

const toTemplate = (name: string, source: string): Template => {
  const { flow } = readSource(source);
  const comments = /^(?:#.*\r?\n)+/.exec(source)?.[0] ?? "";
  const text = comments.replaceAll(/^# ?/gm, "").replaceAll(/\s+/g, " ").trim();
  const comment = text.startsWith(`${flow.name}: `) ? text.slice(flow.name.length + 2) : text;
  const about = flow.description ?? comment;
  const { use = null, input = demoInput } = templatesByUse.get(name) ?? {};
  return {
    name,
    title: flow.name,
    about: about.slice(0, 1).toUpperCase() + about.slice(1),
    source,
    agents: flow.agents.size,
    picture: toThumbnail(flow),
    use,
    input,
  };
};

let templates: readonly Template[] | null = null;

/** The example flows for a gallery: by use in the order of the catalog, then one for each construct. */
export function listTemplates(): readonly Template[] {
  if (templates) return templates;
  const texts = readTemplates();
  const names = [...texts.keys()].sort((a, b) => tourIndex(a) - tourIndex(b));
  const ordered = [...templatesByUse.keys(), ...names.filter((name) => !templatesByUse.has(name))];
  templates = ordered.flatMap((name) => {
    const source = texts.get(name);
    return source === undefined ? [] : [toTemplate(name, source)];
  });
  return templates;
}

/** The bundled texts of the tool `read_page`, by page name. */
export const readPages = (): Map<string, string> => readTexts(path.join(findFolder(), "pages"), ".md");
