import { themeChoices, themeLabels } from "@/app/_ui/theme/theme";
import { applyTheme } from "@/app/_ui/theme/theme-choice";
import { hasSelection, inGroup, stateOf } from "./editor-command";

export const viewCommands = inGroup("View", [
  {
    id: "keys",
    title: "Keyboard shortcuts",
    chords: { canvas: ["?"] },
    words: "help hotkeys sheet",
    run: ({ view }) => view.setState({ surface: { type: "keys" } }),
  },
  {
    id: "palette",
    title: "Commands",
    chords: { editor: ["Ctrl K"], canvas: ["/"] },
    disabledIn: "dialog",
    run: ({ view }) => view.setState({ surface: { type: "palette" } }),
  },
  {
    id: "fit",
    title: "Fit view",
    chords: { canvas: ["Shift 1"] },
    words: "zoom everything",
    run: ({ camera }) => camera.fit(),
  },
  {
    id: "fit-selection",
    title: "Fit selection",
    chords: { canvas: ["Shift 2"] },
    words: "zoom",
    run: (session) => session.camera.fit(stateOf(session).selection),
    when: hasSelection,
  },
  {
    id: "actual-size",
    title: "Zoom to 100 %",
    chords: { canvas: ["Ctrl 0"] },
    words: "actual size",
    run: ({ camera }) => camera.showActualSize(),
  },
  {
    id: "text-pane",
    title: "Text pane",
    chords: { editor: ["Ctrl \\"] },
    words: "show hide yaml source",
    run: ({ view }) => view.setState(({ textOpen }) => ({ textOpen: !textOpen, narrowPane: "text" })),
  },
  {
    id: "outline",
    title: "Outline",
    words: "show hide tree structure",
    run: ({ view }) => view.setState(({ outlineOpen }) => ({ outlineOpen: !outlineOpen, narrowPane: "outline" })),
  },
  {
    id: "inspector-pane",
    title: "Inspector pane",
    words: "show hide properties",
    run: ({ view }) => view.setState(({ inspectorOpen }) => ({ inspectorOpen: !inspectorOpen })),
  },
]);

export const themeCommands = inGroup(
  "Theme",
  themeChoices.map((choice) => ({
    id: `theme-${choice}`,
    title: `Theme: ${themeLabels[choice].toLowerCase()}`,
    words: "appearance colours",
    run: () => applyTheme(choice),
  })),
);
