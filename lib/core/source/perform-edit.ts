import { type Edit, type EditOf, foldInLayout } from "../flow/edit";
import { formatCount } from "../flow/format-count";
import { turnLayout } from "../layout/turn-layout";
import { addAgent, addControl, declareAgent, deleteNodes, setAgentField, wrapControl } from "./edit/edit-declarations";
import { editNote } from "./edit/edit-notes";
import { setSeparator, setSwarmField, setSwarmType } from "./edit/edit-roster";
import { renameVar, setEntry, setFlowDescription, setFlowName, setVar } from "./edit/edit-settings";
import { connect, disconnect, extractGroup, extractSwarm, setFlowText, wrap } from "./edit/edit-topology";
import type { EditTransaction } from "./edit/edit-transaction";
import { inline } from "./edit/inline-group";
import { moveMember } from "./edit/move-member";
import { assertScope, assertWorkflow } from "./edit/preconditions";
import { rename } from "./edit/rename-declaration";
import { setControlField } from "./edit/set-control-field";
import { unwrap } from "./edit/unwrap";
import { insertFragment } from "./fragment/insert-fragment";

type EditByType = { readonly [Type in Edit["type"]]: EditOf<Type> };
type PerformEdit<Type extends Edit["type"]> = (
  transaction: EditTransaction,
  edit: EditByType[Type],
) => string[] | undefined;

/** What performs each edit, and returns the declared names to select afterwards. */
export const performers: { readonly [Type in Edit["type"]]: PerformEdit<Type> } = {
  "add-agent": addAgent,
  "declare-agent": declareAgent,
  "insert-fragment": insertFragment,
  connect,
  disconnect,
  "delete-nodes": deleteNodes,
  "wrap-parallel": wrap,
  "wrap-serial": wrap,
  "extract-group": extractGroup,
  "extract-swarm": extractSwarm,
  "wrap-control": wrapControl,
  unwrap,
  inline,
  "move-member": moveMember,
  rename,
  "set-agent-field": setAgentField,
  "add-control": addControl,
  "set-control-field": setControlField,
  "set-swarm-type": setSwarmType,
  "set-swarm-field": (transaction, { scope, field, value }) => setSwarmField(transaction, scope, field, value),
  "set-limit": (transaction, { field, value }) => setEntry(transaction, "limits", field, value),
  "set-var": setVar,
  "rename-var": renameVar,
  "set-separator": setSeparator,
  "set-flow-name": setFlowName,
  "set-flow-description": setFlowDescription,
  "set-flow-text": setFlowText,
  "set-pin": setPin,
  "set-folded": setFolded,
  "set-direction": setDirection,
  "add-note": editNote,
  "change-note": editNote,
  "remove-note": editNote,
};

function performAs<Type extends Edit["type"]>(
  transaction: EditTransaction,
  type: Type,
  edit: EditByType[Type],
): string[] | undefined {
  return performers[type](transaction, edit);
}

/** Performs an edit in a transaction. Returns the declared names to select afterwards. Throws `EditRefused`. */
export function performEdit(transaction: EditTransaction, edit: Edit): string[] | undefined {
  if ("scope" in edit) {
    assertScope(transaction.document, edit.scope);
    assertWorkflow(transaction.document, edit, edit.scope);
  }
  return performAs(transaction, edit.type, edit);
}

function setDirection(transaction: EditTransaction, { direction }: EditOf<"set-direction">): undefined {
  const { layout, restored } = turnLayout(transaction.document.flow, transaction.layout, direction);
  transaction.layout = layout;
  if (restored.length > 0)
    transaction.notice =
      restored.length === 1
        ? "A card moved back into place."
        : `${formatCount(restored.length)} cards moved back into place.`;
}

function setFolded(transaction: EditTransaction, { keys, folded }: EditOf<"set-folded">): undefined {
  transaction.layout = foldInLayout(transaction.layout, keys, folded);
}

function setPin(transaction: EditTransaction, { key, pin }: EditOf<"set-pin">): undefined {
  const { [key]: _, ...otherPins } = transaction.layout.pins;
  transaction.layout = { ...transaction.layout, pins: pin ? { ...otherPins, [key]: pin } : otherPins };
}
