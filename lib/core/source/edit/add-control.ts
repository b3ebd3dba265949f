import type { Edit } from "../../flow/edit";
import { controlFields } from "../read/read-controls";
import { sectionOfKind } from "../read/sections";
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
  for (const field of Object.keys(fields)) assertField(field, controlFields[control], `A ${control}`);
  transaction.apply([declare(transaction.document, sectionOfKind(control), name, Object.entries(fields))]);
  joinScope(transaction, scope, name, after);
  return [name];
}
