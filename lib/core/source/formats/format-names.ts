/** What a flow can be written as. */
export const exportFormats = ["dsl", "orbiter-dsl", "yaml", "json", "python", "typescript", "mermaid", "svg"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What a flow can be read from. */
export const importFormats = ["yaml", "orbiter-yaml", "json", "orbiter-json", "python", "dsl"] as const;
export type ImportFormat = (typeof importFormats)[number];

/** How a format is called for people, how its files end, and their media type. */
const facts = (label: string, about: string, extension: string, mediaType = "text/plain") => ({
  label,
  about,
  extension,
  mediaType,
});

export const formatFacts: Record<ExportFormat | ImportFormat, ReturnType<typeof facts>> = {
  dsl: facts("Flow line", "Who works when, in one line; named parts below it", "flow"),
  "orbiter-dsl": facts("Orbiter flow line", "The line that Orbiter's Swarm takes as its flow", "txt"),
  yaml: facts("Flow file (YAML)", "This flow as it is stored, comments included", "yaml", "application/yaml"),
  "orbiter-yaml": facts("Orbiter YAML", "A file for Orbiter's loader", "yaml", "application/yaml"),
  json: facts("JSON", "The same fields as the flow file, for programs", "json", "application/json"),
  "orbiter-json": facts("Orbiter JSON", "Orbiter's own description of a swarm", "json", "application/json"),
  python: facts("Orbiter Python", "Agents, groups and swarms for the Orbiter library", "py", "text/x-python"),
  typescript: facts("TypeScript", "A module that runs the flow on Swarmloom's core", "ts"),
  mermaid: facts("Mermaid", "A diagram for Markdown files", "mmd"),
  svg: facts("Picture (SVG)", "The canvas as a picture that stays sharp", "svg", "image/svg+xml"),
};

/** A file name for a flow in a format, safe on every system. */
export function toFileName(flowName: string, extension: string): string {
  const plain = flowName.normalize("NFC").replaceAll(/[^\p{L}\p{N}._-]+/gu, "-");
  return `${plain.replaceAll(/^[-.]+|[-.]+$/g, "").slice(0, 60) || "flow"}.${extension}`;
}
