import { EditorView } from "@codemirror/view";

/** As large as a plain input, and one row high; while somebody writes it lies over what is below, so that nothing moves. */
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
  // At rest what does not fit ends in an ellipsis, and the place where one writes reaches no further than the bar.
  "&:not(.cm-focused) .cm-content": { flexShrink: "1", minWidth: "0", overflow: "hidden" },
  "&:not(.cm-focused) .cm-line": { overflow: "hidden", textOverflow: "ellipsis" },
  ".cm-placeholder": { color: "var(--text-faint)" },
});
