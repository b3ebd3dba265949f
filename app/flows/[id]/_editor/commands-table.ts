import { type ThemeChoice, themeChoices, themeLooks } from "@/app/_ui/theme";
import { applyTheme } from "@/app/_ui/theme-choice";
import { findMembers, indexNodes } from "./canvas/gestures";
import { openExport } from "./export/open-export";
import { formatFlow } from "./format-flow";
import { openImport } from "./import/open-import";
import { insertKinds } from "./insert/insert-kinds";
import { mendProblem, walkProblems } from "./problems/problem-commands";
import { requestRun } from "./run/request-run";
import { openSearch } from "./search/open-search";
import type { Session } from "./session";
import {
  copySelection,
  cutSelection,
  duplicateSelection,
  pasteFromClipboard,
  writeClipboard,
} from "./store/clipboard-commands";
import { selectAll } from "./store/select-all";

/** The groups of commands, in the order in which people are shown them. */
export const commandGroups = ["Run", "Insert", "Edit", "Arrange", "View", "File", "Theme"] as const;
export type CommandGroup = (typeof commandGroups)[number];

/** Something that the editor can do, whoever asks: the palette, a key, the list of shortcuts. */
export interface EditorCommand {
  id: string;
  title: string;
  group: CommandGroup;
  /** The keys as people read them, e.g. `Ctrl Shift Z`; several ways are divided by a comma and a space. */
  keys?: string;
  /** Other words that people may look for. */
  words?: string;
  run(session: Session): void;
  /** Whether it can do anything just now; missing: always. */
  when?(session: Session): boolean;
}

const stateOf = ({ editor }: Session) => editor.store.getState();
const activeOf = (session: Session) => stateOf(session).selection.at(-1);
const hasSelection = (session: Session): boolean => stateOf(session).selection.length > 0;
const hasMembers =
  (least: number) =>
  (session: Session): boolean => {
    const { arrangement, selection } = stateOf(session);
    return (findMembers(indexNodes(arrangement), selection)?.names.length ?? 0) >= least;
  };

const runCommands: readonly EditorCommand[] = [
  { id: "run", title: "Run this flow", group: "Run", keys: "Ctrl Enter", words: "start execute", run: startRun },
  {
    id: "close-run",
    title: "Close the run",
    group: "Run",
    run: ({ view }) => view.setState({ run: null }),
    when: ({ view }) => view.getState().run !== null,
  },
];

const insertCommands: readonly EditorCommand[] = [
  {
    id: "add-agent",
    title: "Add agent",
    group: "Insert",
    keys: "Ctrl ↓",
    words: "new insert after step",
    run: ({ commands }) => commands.addAgent(),
  },
  {
    id: "add-lane",
    title: "Add agent beside",
    group: "Insert",
    keys: "Ctrl →",
    words: "parallel lane",
    run: (session) => session.commands.addLane(activeOf(session) ?? ""),
    when: hasSelection,
  },
  ...insertKinds
    .filter(({ id }) => id !== "agent")
    .map(
      ({ id, label, words, toFragment }): EditorCommand => ({
        id: `insert-${id}`,
        title: `Insert ${label.toLowerCase()}`,
        group: "Insert",
        words: `add new ${words}`,
        run: ({ commands }) => void commands.insert(toFragment(commands.usualModel())),
      }),
    ),
  {
    id: "add-note",
    title: "Add note",
    group: "Insert",
    keys: "T",
    words: "new insert sticky comment text",
    run: ({ commands }) => commands.addNote(),
  },
  {
    id: "insert-template",
    title: "Insert template…",
    group: "Insert",
    words: "add example gallery",
    run: ({ view }) => view.setState({ surface: { type: "templates", target: { type: "selection" } } }),
  },
  {
    id: "insert",
    title: "Insert here…",
    group: "Insert",
    keys: "+, Insert",
    words: "add menu link",
    run: ({ view }) => view.setState({ surface: { type: "insert", target: { type: "selection" } } }),
  },
];

const editCommands: readonly EditorCommand[] = [
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

const textCommands: readonly EditorCommand[] = [
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

const arrangeCommands: readonly EditorCommand[] = [
  {
    id: "wrap-parallel",
    title: "Wrap as parallel",
    group: "Arrange",
    keys: "P",
    words: "group side by side",
    run: ({ commands }) => commands.wrap("wrap-parallel"),
    when: hasMembers(2),
  },
  {
    id: "wrap-serial",
    title: "Wrap as serial",
    group: "Arrange",
    keys: "S",
    words: "group one after another",
    run: ({ commands }) => commands.wrap("wrap-serial"),
    when: hasMembers(2),
  },
  {
    id: "extract-swarm",
    title: "Nest as swarm",
    group: "Arrange",
    keys: "N",
    words: "group",
    run: ({ commands }) => commands.wrap("extract-swarm"),
    when: hasMembers(1),
  },
  {
    id: "extract-group",
    title: "Make a named group",
    group: "Arrange",
    keys: "Ctrl G",
    words: "extract",
    run: ({ commands }) => commands.wrap("extract-group"),
    when: hasMembers(1),
  },
  {
    id: "unwrap",
    title: "Unwrap",
    group: "Arrange",
    keys: "U",
    words: "ungroup dissolve parentheses",
    run: ({ commands }) => commands.wrap("unwrap"),
    when: hasMembers(1),
  },
  {
    id: "inline",
    title: "Write out group or swarm",
    group: "Arrange",
    keys: "I",
    words: "inline ungroup dissolve",
    run: ({ commands }) => commands.wrap("inline"),
    when: hasMembers(1),
  },
];

const fileCommands: readonly EditorCommand[] = [
  {
    id: "export",
    title: "Export…",
    group: "File",
    words: "download save python json mermaid svg png",
    run: openExport,
  },
  {
    id: "import",
    title: "Import…",
    group: "File",
    words: "open paste load orbiter yaml json python",
    run: (session) => openImport(session),
  },
];

const viewCommands: readonly EditorCommand[] = [
  {
    id: "keys",
    title: "Keyboard shortcuts",
    group: "View",
    keys: "?",
    words: "help hotkeys sheet",
    run: ({ view }) => view.setState({ surface: { type: "keys" } }),
  },
  {
    id: "palette",
    title: "Commands",
    group: "View",
    keys: "Ctrl K, /",
    run: ({ view }) => view.setState({ surface: { type: "palette" } }),
  },
  {
    id: "search",
    title: "Find and replace",
    group: "Edit",
    keys: "F, Ctrl F",
    words: "search prompts names",
    run: openSearch,
  },
  {
    id: "fit",
    title: "Fit view",
    group: "View",
    keys: "Shift 1",
    words: "zoom everything",
    run: ({ view }) => view.setState({ fit: {} }),
  },
  {
    id: "fit-selection",
    title: "Fit selection",
    group: "View",
    keys: "Shift 2",
    words: "zoom",
    run: (session) => session.view.setState({ fit: { keys: stateOf(session).selection } }),
    when: hasSelection,
  },
  {
    id: "actual-size",
    title: "Zoom to 100 %",
    group: "View",
    keys: "Ctrl 0",
    words: "actual size",
    run: ({ view }) => view.setState({ fit: { actualSize: true } }),
  },
  {
    id: "text-pane",
    title: "Text pane",
    group: "View",
    keys: "Ctrl \\",
    words: "show hide yaml source",
    run: ({ view }) => view.setState(({ textOpen }) => ({ textOpen: !textOpen, narrowPane: "text" })),
  },
  {
    id: "outline",
    title: "Outline",
    group: "View",
    words: "show hide tree structure",
    run: ({ view }) => view.setState(({ outlineOpen }) => ({ outlineOpen: !outlineOpen, narrowPane: "outline" })),
  },
  {
    id: "inspector-pane",
    title: "Inspector pane",
    group: "View",
    words: "show hide properties",
    run: ({ view }) => view.setState(({ inspectorOpen }) => ({ inspectorOpen: !inspectorOpen })),
  },
];

const themeCommands: readonly EditorCommand[] = themeChoices.map((choice: ThemeChoice) => ({
  id: `theme-${choice}`,
  title: `Theme: ${themeLooks[choice].toLowerCase()}`,
  group: "Theme",
  words: "appearance colours",
  run: () => applyTheme(choice),
}));

/** Every command of the editor, once. */
export const editorCommands: readonly EditorCommand[] = [
  ...runCommands,
  ...insertCommands,
  ...editCommands,
  ...textCommands,
  ...arrangeCommands,
  ...viewCommands,
  ...fileCommands,
  ...themeCommands,
];

/** The commands that can do something just now. */
export const usableCommands = (session: Session): EditorCommand[] =>
  editorCommands.filter(({ when }) => when?.(session) ?? true);

function startRun(session: Session): void {
  if (!session.view.getState().preparing) void requestRun(session);
}
