import type { Edit } from "@/lib/core/flow/edit";
import type { Problem } from "@/lib/core/flow/problem";
import type { Editor } from "./editor";

const refusal: Problem = {
  code: "unsupported",
  severity: "error",
  message: "You may read this flow, not change it. An Admin of the team can give you the role Editor.",
};

const ignore = (): void => {};
const isView = ({ type }: Edit): boolean => type === "set-folded";

/** The editor for a user who may only read the flow: it folds groups on the screen and changes nothing else. */
export const toReadOnly = (editor: Editor): Editor => ({
  ...editor,
  typeText: ignore,
  dispatch: (edits) => (edits.every(isView) ? editor.dispatch(edits) : refusal),
  applyFix: ignore,
  replace: ignore,
  restore: ignore,
  undo: ignore,
  redo: ignore,
});
