import { declaredNames } from "../../../kinds/members";
import type { Exported, ExportSource } from "./exported";

/** A module that reads the flow's text and runs it on the core, as lib/core/README.md describes. Nothing is lost. */
export function exportTypescript({ text, flow }: ExportSource): Exported {
  const names = declaredNames(flow).map((name) => JSON.stringify(name));
  const lines = [
    `// ${flow.name.replaceAll(/[\r\n\u2028\u2029]/g, " ")}: a module that runs on Swarmloom's core.`,
    `import { type RunContext, type RunEvent, type RunOptions, readSource, runFlow } from "@/lib/core";`,
    "",
    "/** Everything that the flow declares. */",
    `export type Declared = ${names.length > 0 ? names.join(" | ") : "never"};`,
    "",
    "/** The flow file. */",
    `export const source = \`${escapeTemplate(text)}\`;`,
    "",
    "export const { flow, problems } = readSource(source);",
    "",
    "/** Runs the flow; `context` holds the models, tools and clock that it may use. */",
    "export const run = (input: string, context: RunContext, options?: RunOptions): AsyncGenerator<RunEvent> =>",
    "  runFlow(flow, input, context, options);",
    "",
  ];
  return { text: lines.join("\n"), notes: [], losses: [] };
}

/** A text inside backquotes; line ends too, for a template's are always `\n`. */
const escapeTemplate = (text: string): string => text.replaceAll(/\\|`|\$\{/g, "\\$&").replaceAll("\r", "\\r");
