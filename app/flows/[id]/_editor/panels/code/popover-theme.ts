import { EditorView } from "@codemirror/view";

const small = { padding: "6px 10px", fontFamily: "var(--font-sans)", fontSize: "12px", lineHeight: "18px" };

export const popoverTheme = EditorView.theme({
  ".cm-tooltip": {
    backgroundColor: "var(--surface-raised)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    boxShadow: "var(--shadow-popover)",
    color: "var(--text)",
    overflow: "hidden",
  },
  ".cm-tooltip-section:not(:first-child)": { borderTop: "1px solid var(--line)" },
  ".cm-tooltip.cm-tooltip-autocomplete": { overflow: "visible" },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-mono)", fontSize: "12px", fontVariantLigatures: "none" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0 8px", lineHeight: "24px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--surface-selected)",
    color: "var(--text)",
  },
  ".cm-completionDetail": { color: "var(--text-muted)", fontFamily: "var(--font-sans)", fontStyle: "normal" },
  ".cm-completionInfo": { ...small, maxWidth: "280px" },
  ".cm-diagnostic": { ...small, maxWidth: "400px", borderLeft: "3px solid var(--line-strong)", whiteSpace: "normal" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--danger)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
  ".cm-diagnosticAction": {
    minHeight: "24px",
    marginLeft: "8px",
    padding: "2px 8px",
    borderRadius: "4px",
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
    cursor: "pointer",
  },
  ".cm-name-card, .cm-rename": { ...small, maxWidth: "360px" },
  ".cm-name-card > div": { color: "var(--text-muted)" },
  ".cm-lintRange-error": { backgroundImage: "none", borderBottom: "2px solid var(--danger)" },
  ".cm-lintRange-warning": { backgroundImage: "none", borderBottom: "2px solid var(--warning)" },
  ".cm-lintRange-info": { backgroundImage: "none", borderBottom: "2px dotted var(--text-faint)" },
});

export const dslTheme = EditorView.theme({
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  ".cm-dsl-operator": { color: "var(--text-faint)", fontWeight: "600" },
  ".cm-dsl-name": { fontWeight: "600" },
  // Its outline is beside brackets, not on them.
  ".cm-dsl-marked": {
    margin: "0 2px",
    borderRadius: "3px",
    boxShadow: "0 0 0 1px var(--surface), 0 0 0 2.5px currentColor",
  },
});
