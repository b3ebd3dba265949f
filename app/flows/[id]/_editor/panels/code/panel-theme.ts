import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

const control = {
  height: "28px",
  backgroundColor: "var(--surface)",
  border: "1px solid var(--line-input)",
  borderRadius: "6px",
  color: "var(--text)",
  fontSize: "12px",
};

const theme = EditorView.theme({
  ".cm-panels": { backgroundColor: "var(--surface-sunken)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search, .cm-panel.cm-dialog": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "6px 8px",
    padding: "8px 36px 8px 12px",
    fontFamily: "var(--font-sans)",
    fontSize: "12px",
  },
  ".cm-panel.cm-search br": { display: "block", flexBasis: "100%", height: "0", content: '""' },
  ".cm-panel.cm-search :is(input, button, label)": { margin: "0" },
  ".cm-panel.cm-search label, .cm-panel.cm-dialog label": {
    display: "flex",
    alignItems: "center",
    gap: "6px",
    minHeight: "24px",
    fontSize: "12px",
    color: "var(--text-muted)",
  },
  ".cm-panel.cm-search input[type=checkbox]": { width: "16px", height: "16px", accentColor: "var(--accent)" },
  ".cm-textfield": {
    ...control,
    minWidth: "0",
    padding: "0 8px",
    fontFamily: "var(--font-mono)",
    fontVariantLigatures: "none",
  },
  ".cm-panel.cm-search .cm-textfield": { flex: "1 1 120px" },
  ".cm-textfield::placeholder": { color: "var(--text-faint)", opacity: "1" },
  ".cm-button": { ...control, padding: "0 10px", backgroundImage: "none", fontWeight: "500" },
  ".cm-button:hover": { backgroundColor: "var(--surface-hover)" },
  ".cm-button:active": { backgroundImage: "none", backgroundColor: "var(--surface-selected)" },
  ".cm-panel.cm-search [name=close], .cm-dialog-close": {
    position: "absolute",
    top: "8px",
    right: "6px",
    width: "28px",
    height: "28px",
    borderRadius: "6px",
    fontSize: "16px",
    color: "var(--text-muted)",
  },
  ".cm-panel.cm-search [name=close]:hover, .cm-dialog-close:hover": { backgroundColor: "var(--surface-hover)" },
  "&.cm-editor .cm-collapsedLines": {
    padding: "2px 12px",
    borderBlock: "1px solid var(--line)",
    background: "var(--surface-sunken)",
    color: "var(--text-muted)",
    fontFamily: "var(--font-sans)",
    fontSize: "12px",
  },
  "&.cm-editor .cm-collapsedLines:before, &.cm-editor .cm-collapsedLines:after": { content: "none" },
  "&.cm-merge-a .cm-changedLine": { backgroundColor: "var(--danger-soft)" },
  "&.cm-merge-b .cm-changedLine": { backgroundColor: "var(--success-soft)" },
  "&.cm-merge-a .cm-changedText": { background: "color-mix(in srgb, var(--danger) 24%, transparent)" },
  "&.cm-merge-b .cm-changedText": { background: "color-mix(in srgb, var(--success) 24%, transparent)" },
  ".cm-searchMatch": { backgroundColor: "var(--warning-soft)", outline: "1px solid var(--warning)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--accent-soft)", outline: "2px solid var(--accent)" },
});

const words = {
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Match case",
  regexp: "Regular expression",
  "by word": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
  close: "Close",
  go: "Go",
};

export const panelTheme = [theme, EditorState.phrases.of(words)];
