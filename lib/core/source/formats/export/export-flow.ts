import type { ExportFormat } from "../format-names";
import { exportDsl, exportOrbiterDsl } from "./export-dsl";
import { exportJson } from "./export-json";
import { exportMermaid } from "./export-mermaid";
import { exportPython } from "./export-python";
import { exportTypescript } from "./export-typescript";
import { exportYaml } from "./export-yaml";
import type { Exported, ExportOptions, ExportSource } from "./exported";
import { exportSvg } from "./svg/export-svg";

const exporters: Record<ExportFormat, (source: ExportSource, options: ExportOptions) => Exported> = {
  dsl: ({ flow }) => exportDsl(flow),
  "orbiter-dsl": ({ flow }) => exportOrbiterDsl(flow),
  yaml: exportYaml,
  json: ({ flow }) => exportJson(flow),
  python: ({ flow }) => exportPython(flow),
  typescript: exportTypescript,
  mermaid: exportMermaid,
  svg: exportSvg,
};

/** The flow in another format. What the format cannot express is in its losses; the flow is not changed. */
export const exportFlow = (source: ExportSource, format: ExportFormat, options: ExportOptions = {}): Exported =>
  exporters[format](source, options);
