import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { panelTheme } from "./panel-theme";
import { dslTheme, popoverTheme } from "./popover-theme";

/** Colours are CSS variables, so that light and dark mode need no second theme. */
const theme = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--surface)", color: "var(--text)", fontSize: "12.5px" },
  // CodeMirror sets cm-focused with a delay.
  "&.cm-focused, &:has(.cm-content:focus)": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "20px", fontVariantLigatures: "none" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 12px 0 8px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--text-faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 12px", fontVariantNumeric: "tabular-nums" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--surface-hover) 55%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--surface-selected)" },
  ".cm-declaration": { backgroundColor: "color-mix(in srgb, var(--accent-soft) 65%, transparent)" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--surface-hover)",
    border: "none",
    color: "var(--text-muted)",
    padding: "0 6px",
  },
  ".cm-rename input": {
    width: "220px",
    padding: "3px 6px",
    fontFamily: "var(--font-mono)",
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    border: "1px solid var(--line-input)",
    borderRadius: "4px",
  },
  ".cm-rename [role=alert]": { color: "var(--danger)" },
  ".cm-lint-marker": { width: "10px", height: "10px", marginTop: "5px" },
});

const highlight = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--accent-text)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--success)" },
  { tag: tags.comment, color: "var(--text-faint)", fontStyle: "italic" },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: "var(--text-muted)" },
  { tag: [tags.keyword, tags.meta, tags.labelName, tags.typeName], color: "var(--agent-0)" },
]);

export const editorTheme = [theme, popoverTheme, dslTheme, panelTheme, syntaxHighlighting(highlight)];
