/** The pages that users read, in the order in which they are listed; each is a file of `_content`. */
export const docPages = {
  editor: "The editor",
  "flow-file": "The flow file",
  runs: "Runs",
  teams: "Accounts and teams",
  "command-line": "Command line",
  "http-api": "HTTP API",
  configuration: "Configuration",
  operations: "Operations",
  performance: "Performance",
  "provider-rules": "What providers refuse",
} as const;

export type DocPage = keyof typeof docPages;

export const isDocPage = (name: string): name is DocPage => Object.hasOwn(docPages, name);

/** As links of the docs name a heading: `Limits across processes` is `limits-across-processes`. */
export const toAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** Where a link of the docs leads in the app; null: to a file of the sources. */
export function toDocAddress(href: string): string | null {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [, name = "", anchor = ""] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return isDocPage(name) ? `/docs/${name}${anchor}` : null;
}
