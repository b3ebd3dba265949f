import type { Edit } from "../../flow/edit";
import { kindOf } from "../../kinds/registry";
import { joinScope } from "./edit-topology";
import type { EditTransaction } from "./edit-transaction";
import { assertAfter, assertFreeName } from "./preconditions";
import { assertField } from "./set-control-field";
import { declare } from "./write-declaration";

/** Declares a branch, router, loop or approval; it joins the flow as a new agent does. */
export function addControl(transaction: EditTransaction, edit: Extract<Edit, { type: "add-control" }>): string[] {
  const { name, control, fields, scope, after } = edit;
  assertFreeName(transaction, name);
  assertAfter(transaction.document, scope, after);
  const kind = kindOf({ type: control });
  for (const field of Object.keys(fields)) assertField(field, kind.fields, `A ${control}`);
  transaction.apply([declare(transaction.document, kind.section, name, Object.entries(fields))]);
  joinScope(transaction, scope, name, after);
  return [name];
}
