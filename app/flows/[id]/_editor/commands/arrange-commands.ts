import { type Wrap, type WrappingControl, wrappingControls } from "../state/edits/node-edits";
import { type EditorCommand, hasMembers } from "./editor-command";

interface WrapCommand extends Pick<EditorCommand, "title" | "chords" | "words"> {
  id: Wrap;
  /** So many selected members it needs. */
  least: number;
}

const wrapCommands: readonly WrapCommand[] = [
  { id: "wrap-parallel", title: "Wrap as parallel", chords: { canvas: ["P"] }, words: "group side by side", least: 2 },
  {
    id: "wrap-serial",
    title: "Wrap as serial",
    chords: { canvas: ["S"] },
    words: "group one after another",
    least: 2,
  },
  { id: "extract-swarm", title: "Nest as swarm", chords: { canvas: ["N"] }, words: "group", least: 1 },
  {
    id: "extract-group",
    title: "Make a named group",
    chords: { canvas: ["Ctrl G"], outline: ["Ctrl G"] },
    words: "extract",
    least: 1,
  },
  { id: "unwrap", title: "Unwrap", chords: { canvas: ["U"] }, words: "ungroup dissolve parentheses", least: 1 },
  {
    id: "inline",
    title: "Inline group or swarm",
    chords: { canvas: ["I"] },
    words: "inline ungroup dissolve",
    least: 1,
  },
];

const controlTitles: Readonly<Record<WrappingControl, string>> = {
  loop: "Repeat in a loop",
  branch: "Put in a branch",
  router: "Put in a router",
};

const controlCommands = wrappingControls.map(
  (type): EditorCommand => ({
    id: `wrap-${type}`,
    title: controlTitles[type],
    group: "Arrange",
    needs: "mayEdit",
    words: "wrap around control",
    run: ({ actions }) => actions.wrapInControl(type),
    when: hasMembers(1),
  }),
);

export const arrangeCommands: readonly EditorCommand[] = [
  ...wrapCommands.map(
    ({ least, ...command }): EditorCommand => ({
      ...command,
      group: "Arrange",
      needs: "mayEdit",
      run: ({ actions }) => actions.wrap(command.id),
      when: hasMembers(least),
    }),
  ),
  ...controlCommands,
];
