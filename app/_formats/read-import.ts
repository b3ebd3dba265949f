import { findPatternMistake } from "@/lib/core/condition/pattern";
import { emptyLayout } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import { countNouns } from "@/lib/core/flow/format-count";
import type { Problem } from "@/lib/core/flow/problem";
import { exportSvg } from "@/lib/core/source/formats/export/svg/export-svg";
import type { ImportFormat } from "@/lib/core/source/formats/format-names";
import { importFlow } from "@/lib/core/source/formats/import/import-flow";
import type { Imported } from "@/lib/core/source/formats/import/imported";
import { readSource } from "@/lib/core/source/read-source";

export interface ImportPreview {
  imported: Imported;
  /** Null: there is no flow in the text. */
  flow: Flow | null;
  problems: readonly Problem[];
  picture: string;
}

export interface ReadImportOptions {
  format?: ImportFormat;
  model: string;
  theme: "light" | "dark";
}

/** About the size that the picture of the preview has. */
const pictureSize = { width: 464, height: 272 };

export function readImport(text: string, { format, model, theme }: ReadImportOptions): ImportPreview {
  const imported = importFlow(text, format, { model });
  if (imported.source === "") return { imported, flow: null, problems: [], picture: "" };
  const { flow, problems } = readSource(imported.source, { checkPattern: findPatternMistake });
  const { text: picture } = exportSvg(
    { text: imported.source, flow, layout: emptyLayout },
    { theme, view: pictureSize },
  );
  return { imported, flow, problems, picture };
}

export function countParts({ agents, groups, swarms, controls }: Flow): string {
  const counts = { agent: agents.size, group: groups.size, "nested swarm": swarms.size, control: controls.size };
  const phrases = Object.entries(counts).flatMap(([noun, count]) => (count === 0 ? [] : [countNouns(count, noun)]));
  return phrases.join(", ") || "nothing in it";
}
