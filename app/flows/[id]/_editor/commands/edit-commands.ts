import type { NodeKey } from "@/lib/core/flow/node-key";
import { isNoteKey, listNotes } from "@/lib/core/flow/note";
import type { Session } from "../state/session";
import {
  copySelection,
  cutSelection,
  duplicateSelection,
  pasteFromClipboard,
  writeClipboard,
} from "./clipboard-commands";
import { activeOf, hasSelection, inGroup, stateOf } from "./editor-command";
import { fixProblem, walkProblems } from "./problem-commands";

export const editCommands = inGroup("Edit", [
  {
    id: "undo",
    needs: "mayEdit",
    title: "Undo",
    chords: { editor: ["Ctrl Z"] },
    disabledIn: "text-field",
    run: ({ editor }) => editor.undo(),
    when: (session) => stateOf(session).history.canUndo,
  },
  {
    id: "redo",
    needs: "mayEdit",
    title: "Redo",
    chords: { editor: ["Ctrl Shift Z", "Ctrl Y"] },
    disabledIn: "text-field",
    run: ({ editor }) => editor.redo(),
    when: (session) => stateOf(session).history.canRedo,
  },
  {
    id: "select-all",
    title: "Select everything",
    chords: { canvas: ["Ctrl A"], outline: ["Ctrl A"] },
    run: selectAll,
  },
  {
    id: "copy",
    title: "Copy",
    chords: { clipboard: ["Ctrl C"] },
    run: (session) => void writeClipboard(copySelection(session), session),
    when: hasSelection,
  },
  {
    id: "cut",
    needs: "mayEdit",
    title: "Cut",
    chords: { clipboard: ["Ctrl X"] },
    run: (session) => void writeClipboard(cutSelection(session), session),
    when: hasSelection,
  },
  {
    id: "paste",
    needs: "mayEdit",
    title: "Paste",
    chords: { clipboard: ["Ctrl V"] },
    run: (session) => void pasteFromClipboard(session),
  },
  {
    id: "duplicate",
    needs: "mayEdit",
    title: "Duplicate",
    chords: { canvas: ["Ctrl D"] },
    words: "copy again",
    run: duplicateSelection,
    when: hasSelection,
  },
  {
    id: "delete",
    needs: "mayEdit",
    title: "Delete selection",
    chords: { canvas: ["Del", "Backspace"], outline: ["Del", "Backspace"] },
    words: "remove",
    run: ({ actions }) => actions.deleteSelection(),
    when: (session) => hasSelection(session) || stateOf(session).edge !== null,
  },
  {
    id: "connect",
    needs: "mayEdit",
    title: "Connect to…",
    chords: { canvas: ["C"] },
    words: "link",
    run: startLink,
    when: hasSelection,
  },
]);

export const textCommands = inGroup("Edit", [
  {
    id: "next-problem",
    title: "Next problem",
    chords: { editor: ["F8"] },
    words: "error warning go to",
    run: (session) => walkProblems(session, 1),
  },
  {
    id: "previous-problem",
    title: "Previous problem",
    chords: { editor: ["Shift F8"] },
    words: "error warning go to",
    run: (session) => walkProblems(session, -1),
  },
  {
    id: "fix-problem",
    needs: "mayEdit",
    title: "Fix this problem",
    chords: { editor: ["Ctrl ."] },
    words: "quick fix repair mend",
    run: fixProblem,
  },
  {
    id: "format",
    needs: "mayEdit",
    title: "Format the text",
    words: "tidy indent pretty yaml",
    run: (session) => void formatFlow(session),
  },
  {
    id: "search",
    title: "Find and replace",
    chords: { canvas: ["F", "Ctrl F"] },
    words: "search prompts names",
    run: ({ view }) => view.setState({ surface: { type: "search" }, narrowPane: "canvas" }),
  },
]);

function startLink(session: Session, target: NodeKey | null = activeOf(session) ?? null): void {
  if (target === null || !isNoteKey(target)) session.view.setState({ connecting: target });
}

function selectAll({ editor }: Session): void {
  const { arrangement, layout } = editor.store.getState();
  editor.select([...listNotes(layout.notes), ...arrangement.nodes].map(({ key }) => key));
}

async function formatFlow({ editor, notify }: Session): Promise<void> {
  const { formatSource } = await import("@/lib/core/source/yaml/format-source");
  const { text, layout } = editor.store.getState();
  const result = formatSource(text);
  if (!result.ok) notify.error(result.message);
  else if (result.text === text) notify.info("The text is already formatted.");
  else editor.replace(result.text, layout);
}
