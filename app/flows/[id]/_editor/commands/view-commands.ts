import { type ThemeChoice, themeChoices, themeLabels } from "@/app/_ui/theme/theme";
import { applyTheme } from "@/app/_ui/theme/theme-choice";
import { type EditorCommand, hasSelection, stateOf } from "./editor-command";
import { openSearch } from "./open-search";

export const viewCommands: readonly EditorCommand[] = [
  {
    id: "keys",
    title: "Keyboard shortcuts",
    group: "View",
    chords: { canvas: ["?"] },
    words: "help hotkeys sheet",
    run: ({ view }) => view.setState({ surface: { type: "keys" } }),
  },
  {
    id: "palette",
    title: "Commands",
    group: "View",
    chords: { editor: ["Ctrl K"], canvas: ["/"] },
    disabledIn: "dialog",
    run: ({ view }) => view.setState({ surface: { type: "palette" } }),
  },
  {
    id: "search",
    title: "Find and replace",
    group: "Edit",
    chords: { canvas: ["F", "Ctrl F"] },
    words: "search prompts names",
    run: openSearch,
  },
  {
    id: "fit",
    title: "Fit view",
    group: "View",
    chords: { canvas: ["Shift 1"] },
    words: "zoom everything",
    run: ({ camera }) => camera.fit(),
  },
  {
    id: "fit-selection",
    title: "Fit selection",
    group: "View",
    chords: { canvas: ["Shift 2"] },
    words: "zoom",
    run: (session) => session.camera.fit(stateOf(session).selection),
    when: hasSelection,
  },
  {
    id: "actual-size",
    title: "Zoom to 100 %",
    group: "View",
    chords: { canvas: ["Ctrl 0"] },
    words: "actual size",
    run: ({ camera }) => camera.showActualSize(),
  },
  {
    id: "text-pane",
    title: "Text pane",
    group: "View",
    chords: { editor: ["Ctrl \\"] },
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
