import { withoutByteOrderMark } from "../../yaml/byte-order-mark";
import type { ImportFormat } from "../format-names";
import { refuseText } from "./check-text";
import { detectFormat } from "./detect-format";
import { importDsl } from "./import-dsl";
import { importJson, importOrbiterJson } from "./import-json";
import { importPython } from "./import-python";
import { importOrbiterYaml, importYaml } from "./import-yaml";
import { Findings, type Imported, type ImportOptions } from "./imported";

const importers: Record<ImportFormat, (text: string, options: ImportOptions) => Imported> = {
  yaml: importYaml,
  "orbiter-yaml": importOrbiterYaml,
  json: importJson,
  "orbiter-json": importOrbiterJson,
  python: importPython,
  dsl: importDsl,
};

/**
 * A flow file made of a text in another format; the likeliest one when `format` is missing. Never throws, runs or
 * resolves anything: what is not understood is kept as data and listed. Without a flow, `source` is empty and an error
 * has the reason.
 */
export function importFlow(text: string, format?: ImportFormat, options: ImportOptions = {}): Imported {
  const plain = withoutByteOrderMark(text);
  const findings = new Findings(plain);
  const refused = refuseText(plain);
  if (refused) findings.problems.push(refused);
  if (refused) return findings.toImported(format ?? "yaml", "");
  const sourceFormat = format ?? detectFormat(plain);
  if (sourceFormat) return importers[sourceFormat](plain, options);
  const message =
    "No known format was recognised. Expected a flow line such as a >> b, a flow file (YAML or JSON), or Python for Orbiter; or name the format.";
  findings.refuse("unsupported", message);
  return findings.toImported("dsl", "");
}
