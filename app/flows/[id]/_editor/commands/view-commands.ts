import { type ThemeChoice, themeChoices, themeLabels } from "@/app/_ui/theme/theme";
import { applyTheme } from "@/app/_ui/theme/theme-choice";
import { openSearch } from "../panels/search/open-search";
import { type EditorCommand, hasSelection, stateOf } from "./editor-command";

export const viewCommands: readonly EditorCommand[] = [
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

export const themeCommands: readonly EditorCommand[] = themeChoices.map((choice: ThemeChoice) => ({
  id: `theme-${choice}`,
  title: `Theme: ${themeLabels[choice].toLowerCase()}`,
  group: "Theme",
  words: "appearance colours",
  run: () => applyTheme(choice),
}));
