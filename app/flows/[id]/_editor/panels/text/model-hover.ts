import type { EditorState } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import type { TextRange } from "@/lib/core/flow/text-range";
import { toNameCard } from "../code/name-tools";

export const modelHover = (describe: (model: string) => Promise<readonly string[]>) =>
  hoverTooltip(async ({ state }, offset) => {
    const modelAtOffset = findModelAt(state, offset);
    if (!modelAtOffset) return null;
    const facts = await describe(modelAtOffset.model);
    const create = () => ({ dom: toNameCard(modelAtOffset.model, facts) });
    return { pos: modelAtOffset.range.from, end: modelAtOffset.range.to, above: true, create };
  });

export function findModelAt({ doc }: EditorState, offset: number): { model: string; range: TextRange } | null {
  const line = doc.lineAt(offset);
  for (const match of line.text.matchAll(/(?:^|[\s{,])(?:fallback_)?model:\s*["']?([^"',}\s]+)/g)) {
    const [matchedText, model = ""] = match;
    const to = line.from + match.index + matchedText.length;
    const range = { from: to - model.length, to };
    if (range.from <= offset && offset <= range.to) return { model, range };
  }
  return null;
}
