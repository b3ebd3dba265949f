import type { NodeKey } from "@/lib/core/flow/node-key";
import { isNoteKey } from "@/lib/core/flow/note";
import type { Session } from "../state/session";
import {
  copySelection,
  cutSelection,
  duplicateSelection,
  pasteFromClipboard,
  writeClipboard,
} from "./clipboard-commands";
import { activeOf, type EditorCommand, hasSelection, stateOf } from "./editor-command";
import { formatFlow } from "./format-flow";
import { fixProblem, walkProblems } from "./problem-commands";
import { selectAll } from "./select-all";

export const editCommands: readonly EditorCommand[] = [
  {
    id: "undo",
    title: "Undo",
    group: "Edit",
    chords: { editor: ["Ctrl Z"] },
    disabledIn: "text-field",
    run: ({ editor }) => editor.undo(),
    when: (session) => stateOf(session).history.canUndo,
  },
  {
    id: "redo",
    title: "Redo",
    group: "Edit",
    chords: { editor: ["Ctrl Shift Z", "Ctrl Y"] },
    disabledIn: "text-field",
    run: ({ editor }) => editor.redo(),
    when: (session) => stateOf(session).history.canRedo,
  },
  {
    id: "select-all",
    title: "Select everything",
    group: "Edit",
    chords: { canvas: ["Ctrl A"], outline: ["Ctrl A"] },
    run: selectAll,
  },
  {
    id: "copy",
    title: "Copy",
    group: "Edit",
    chords: { clipboard: ["Ctrl C"] },
    run: (session) => void writeClipboard(copySelection(session), session),
    when: hasSelection,
  },
  {
    id: "cut",
    title: "Cut",
    group: "Edit",
    chords: { clipboard: ["Ctrl X"] },
    run: (session) => void writeClipboard(cutSelection(session), session),
    when: hasSelection,
  },
  {
    id: "paste",
    title: "Paste",
    group: "Edit",
    chords: { clipboard: ["Ctrl V"] },
    run: (session) => void pasteFromClipboard(session),
  },
  {
    id: "duplicate",
    title: "Duplicate",
    group: "Edit",
    chords: { canvas: ["Ctrl D"] },
    words: "copy again",
    run: duplicateSelection,
    when: hasSelection,
  },
  {
    id: "delete",
    title: "Delete selection",
    group: "Edit",
    chords: { canvas: ["Del", "Backspace"], outline: ["Del", "Backspace"] },
    words: "remove",
    run: ({ actions }) => actions.deleteSelection(),
    when: (session) => hasSelection(session) || stateOf(session).edge !== null,
  },
  {
    id: "connect",
    title: "Connect to…",
    group: "Edit",
    chords: { canvas: ["C"] },
    words: "link",
    run: startLink,
    when: hasSelection,
  },
];

export const textCommands: readonly EditorCommand[] = [
  {
    id: "next-problem",
    title: "Next problem",
    group: "Edit",
    chords: { editor: ["F8"] },
    words: "error warning go to",
    run: (session) => walkProblems(session, 1),
  },
  {
    id: "previous-problem",
    title: "Previous problem",
    group: "Edit",
    chords: { editor: ["Shift F8"] },
    words: "error warning go to",
    run: (session) => walkProblems(session, -1),
  },
  {
    id: "fix-problem",
    title: "Fix this problem",
    group: "Edit",
    chords: { editor: ["Ctrl ."] },
    words: "quick fix repair mend",
    run: fixProblem,
  },
  {
    id: "format",
    title: "Format the text",
    group: "Edit",
    words: "tidy indent pretty yaml",
    run: (session) => void formatFlow(session),
  },
];

function startLink(session: Session, target: NodeKey | null = activeOf(session) ?? null): void {
  if (target === null || !isNoteKey(target)) session.view.setState({ connecting: target });
}
