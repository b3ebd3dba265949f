export { parseFlow } from "@/lib/core/dsl/parse";
export { findDeclaration } from "@/lib/core/flow/flow";
export { moveOffset } from "@/lib/core/flow/rebase/rebase-changes";
export { describeEdits } from "@/lib/core/history/describe-edits";
export { dropEntry, rebaseHistory } from "@/lib/core/history/rebase-history";
export { applyEdit } from "@/lib/core/source/apply-edit";
export { readSource, toSourceDocument } from "@/lib/core/source/read-source";
export { listDeletedEntries } from "@/lib/core/source/together/deleted-entries";
export { diffFields } from "@/lib/core/source/together/diff-fields";
export {
  findAlternativeAt,
  findChoiceAt,
  findLetters,
  findNameAt,
  findTextAt,
  isCondition,
} from "@/lib/core/source/together/find-field";
export { findRepairs, maxRepairs } from "@/lib/core/source/together/find-repairs";
export { keepsPlaces } from "@/lib/core/source/together/keeps-places";
export { prepareEdit } from "@/lib/core/source/together/prepare-edit";
export { withValue } from "@/lib/core/source/together/text-site";
export {
  hasSeveralLines,
  joinTexts,
  readField,
  readTextField,
  textFieldKey,
  writeTextEdit,
} from "@/lib/core/source/together/write-text-edit";
export { readPasted, toClipboardText } from "../clipboard/clipboard";
export { requestCurrent, requestLater, requestSave } from "../save/save-request";
