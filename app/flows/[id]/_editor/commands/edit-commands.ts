import {
  copySelection,
  cutSelection,
  duplicateSelection,
  pasteFromClipboard,
  writeClipboard,
} from "./clipboard-commands";
import { activeOf, type EditorCommand, hasSelection, stateOf } from "./editor-command";
import { formatFlow } from "./format-flow";
import { mendProblem, walkProblems } from "./problem-commands";
import { selectAll } from "./select-all";

export const editCommands: readonly EditorCommand[] = [
  {
    id: "undo",
    title: "Undo",
    group: "Edit",
    keys: "Ctrl Z",
    run: ({ editor }) => editor.undo(),
    when: (session) => stateOf(session).history.canUndo,
  },
  {
    id: "redo",
    title: "Redo",
    group: "Edit",
    keys: "Ctrl Shift Z, Ctrl Y",
    run: ({ editor }) => editor.redo(),
    when: (session) => stateOf(session).history.canRedo,
  },
  {
    id: "select-all",
    title: "Select everything",
    group: "Edit",
    keys: "Ctrl A",
    run: selectAll,
  },
  {
    id: "copy",
    title: "Copy",
    group: "Edit",
    keys: "Ctrl C",
    run: (session) => void writeClipboard(copySelection(session), session),
    when: hasSelection,
  },
  {
    id: "cut",
    title: "Cut",
    group: "Edit",
    keys: "Ctrl X",
    run: (session) => void writeClipboard(cutSelection(session), session),
    when: hasSelection,
  },
  {
    id: "paste",
    title: "Paste",
    group: "Edit",
    keys: "Ctrl V",
    run: (session) => void pasteFromClipboard(session),
  },
  {
    id: "duplicate",
    title: "Duplicate",
    group: "Edit",
    keys: "Ctrl D",
    words: "copy again",
    run: duplicateSelection,
    when: hasSelection,
  },
  {
    id: "delete",
    title: "Delete selection",
    group: "Edit",
    keys: "Del",
    words: "remove",
    run: ({ commands }) => commands.deleteSelection(),
    when: (session) => hasSelection(session) || stateOf(session).edge !== null,
  },
  {
    id: "connect",
    title: "Connect to…",
    group: "Edit",
    keys: "C",
    words: "link",
    run: (session) => session.view.setState({ connecting: activeOf(session) ?? null }),
    when: hasSelection,
  },
];

export const textCommands: readonly EditorCommand[] = [
  {
    id: "next-problem",
    title: "Next problem",
    group: "Edit",
    keys: "F8",
    words: "error warning go to",
    run: (session) => walkProblems(session, 1),
  },
  {
    id: "previous-problem",
    title: "Previous problem",
    group: "Edit",
    keys: "Shift F8",
    words: "error warning go to",
    run: (session) => walkProblems(session, -1),
  },
  {
    id: "mend-problem",
    title: "Fix this problem",
    group: "Edit",
    keys: "Ctrl .",
    words: "quick fix repair mend",
    run: mendProblem,
  },
  {
    id: "format",
    title: "Format the text",
    group: "Edit",
    words: "tidy indent pretty yaml",
    run: (session) => void formatFlow(session),
  },
];
