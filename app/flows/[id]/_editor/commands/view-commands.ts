import { zoomStep } from "@/app/_canvas/state/camera";
import { themeChoices, themeLabels } from "@/app/_ui/theme/theme";
import { applyTheme } from "@/app/_ui/theme/theme-choice";
import { hasSelection, inGroup, selectedFolds, stateOf } from "./editor-command";

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
    chords: { canvas: ["Ctrl 0", "0"] },
    words: "actual size",
    run: ({ camera }) => camera.showActualSize(),
  },
  {
    id: "zoom-in",
    title: "Zoom in",
    chords: { canvas: ["="] },
    words: "larger",
    run: ({ camera }) => camera.zoomBy(zoomStep),
  },
  {
    id: "zoom-out",
    title: "Zoom out",
    chords: { canvas: ["-"] },
    words: "smaller",
    run: ({ camera }) => camera.zoomBy(1 / zoomStep),
  },
  {
    id: "fold",
    title: "Fold",
    words: "collapse group swarm loop card",
    run: (session) => session.actions.fold(selectedFolds(session, false), true),
    when: (session) => selectedFolds(session, false).length > 0,
  },
  {
    id: "unfold",
    title: "Unfold",
    words: "expand group swarm loop",
    run: (session) => session.actions.fold(selectedFolds(session, true), false),
    when: (session) => selectedFolds(session, true).length > 0,
  },
  {
    id: "fold-all",
    title: "Fold all",
    words: "collapse groups swarms loops",
    run: ({ actions }) => actions.foldAll(),
    when: ({ actions }) => actions.listFoldable().length > 0,
  },
  {
    id: "unfold-all",
    title: "Unfold all",
    words: "expand groups swarms loops",
    run: ({ actions }) => actions.unfoldAll(),
    when: (session) => (stateOf(session).layout.folded?.length ?? 0) > 0,
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
    id: "comments",
    title: "Comments",
    words: "discuss mention thread review",
    run: ({ editor, view }) => {
      editor.select([]);
      view.setState({ flowTab: "comments", inspectorOpen: true, narrowPane: "inspector" });
    },
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
