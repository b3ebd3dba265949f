import type { TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import type { JoinRules } from "./join-sections";

/**
 * Mends texts in double quotes in which a `\` lost its letter, because others wrote between them: it becomes a `\` of the text.
 * Everyone who mends one makes the same change.
 */
export function repairEscapes(
  { structure }: Pick<SourceDocument, "structure">,
  { isApart }: Pick<JoinRules, "isApart">,
): TextChange[] {
  return (structure.cache?.chunks ?? []).flatMap(({ source, parsed }) =>
    parsed.document.errors.flatMap(({ code, pos: [position] }) => {
      const offset = source.from + position;
      const isTorn = code === "BAD_DQ_ESCAPE" && isApart(offset + 1);
      return isTorn ? [{ from: offset, to: offset, insert: "\\" }] : [];
    }),
  );
}
