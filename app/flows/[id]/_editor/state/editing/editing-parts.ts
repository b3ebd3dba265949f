export { parseFlow } from "@/lib/core/dsl/parse";
export { moveOffset } from "@/lib/core/flow/rebase/rebase-changes";
export { describeEdits } from "@/lib/core/history/describe-edits";
export { rebaseHistory } from "@/lib/core/history/rebase-history";
export { applyEdit } from "@/lib/core/source/apply-edit";
export { readSource, toSourceDocument } from "@/lib/core/source/read-source";
export { readPasted, toClipboardText } from "../clipboard/clipboard";
export { requestCurrent, requestSave } from "../save/save-request";
