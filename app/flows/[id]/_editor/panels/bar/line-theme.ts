import { EditorView } from "@codemirror/view";

/** As high as a plain input; while focused it overlays the canvas, so that the layout does not move. */
export const lineTheme = EditorView.theme({
  "&": { color: "var(--text)", fontSize: "12px", borderRadius: "4px" },
  "&.cm-focused": {
    backgroundColor: "var(--surface)",
    outline: "2px solid var(--focus)",
    outlineOffset: "0",
  },
  ".cm-scroller": {
    maxHeight: "152px",
    overflow: "hidden",
    fontFamily: "var(--font-mono)",
    fontVariantLigatures: "none",
    lineHeight: "20px",
  },
  "&.cm-focused .cm-scroller": { overflow: "hidden auto" },
  ".cm-content": { padding: "6px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 4px" },
  "&:not(.cm-focused) .cm-content": { flexShrink: "1", minWidth: "0", overflow: "hidden" },
  "&:not(.cm-focused) .cm-line": { overflow: "hidden", textOverflow: "ellipsis" },
  ".cm-placeholder": { color: "var(--text-faint)" },
});
