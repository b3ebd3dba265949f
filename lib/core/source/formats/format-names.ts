/** What a flow can be written as. */
export const exportFormats = ["dsl", "orbiter-dsl", "yaml", "json", "python", "typescript", "mermaid", "svg"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What a flow can be read from. */
export const importFormats = ["yaml", "orbiter-yaml", "json", "orbiter-json", "python", "dsl"] as const;
export type ImportFormat = (typeof importFormats)[number];

/** How a format is called for people, how its files end, and their media type. */
export const formatFacts: Record<
  ExportFormat | ImportFormat,
  { label: string; about: string; extension: string; mediaType: string }
> = {
  dsl: {
    label: "Flow line",
    about: "Who works when, in one line; named parts below it",
    extension: "flow",
    mediaType: "text/plain",
  },
  "orbiter-dsl": {
    label: "Orbiter flow line",
    about: "The line that Orbiter's Swarm takes as its flow",
    extension: "txt",
    mediaType: "text/plain",
  },
  yaml: {
    label: "Flow file (YAML)",
    about: "This flow as it is stored, comments included",
    extension: "yaml",
    mediaType: "application/yaml",
  },
  "orbiter-yaml": {
    label: "Orbiter YAML",
    about: "A file for Orbiter's loader",
    extension: "yaml",
    mediaType: "application/yaml",
  },
  json: {
    label: "JSON",
    about: "The same fields as the flow file, for programs",
    extension: "json",
    mediaType: "application/json",
  },
  "orbiter-json": {
    label: "Orbiter JSON",
    about: "Orbiter's own description of a swarm",
    extension: "json",
    mediaType: "application/json",
  },
  python: {
    label: "Orbiter Python",
    about: "Agents, groups and swarms for the Orbiter library",
    extension: "py",
    mediaType: "text/x-python",
  },
  typescript: {
    label: "TypeScript",
    about: "A module that runs the flow on Swarmloom's core",
    extension: "ts",
    mediaType: "text/plain",
  },
  mermaid: {
    label: "Mermaid",
    about: "A diagram for Markdown files",
    extension: "mmd",
    mediaType: "text/plain",
  },
  svg: {
    label: "Picture (SVG)",
    about: "The canvas as a picture that stays sharp",
    extension: "svg",
    mediaType: "image/svg+xml",
  },
};

const fileNameOf = (name: string): string =>
  name
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "")
    .slice(0, 60) || "flow";

/** A file name for a flow in a format, safe on every system. */
export const toFileName = (flowName: string, extension: string): string => `${fileNameOf(flowName)}.${extension}`;
