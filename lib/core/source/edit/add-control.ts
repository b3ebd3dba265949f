import type { Edit } from "../../flow/edit";
import { controlFields } from "../read/read-controls";
import { sectionOfKind } from "../read/sections";
import { joinScope } from "./edit-topology";
import type { EditTransaction } from "./edit-transaction";
import { assertAfter, assertFreeName } from "./preconditions";
import { assertField } from "./set-control-field";
import { declare } from "./write-declaration";

/** Declares a branch, router, loop or approval; it joins the flow as a new agent does. */
export function addControl(changing: EditTransaction, edit: Extract<Edit, { type: "add-control" }>): string[] {
  const { name, control, fields, scope, after } = edit;
  assertFreeName(changing, name);
  assertAfter(changing.document, scope, after);
  for (const field of Object.keys(fields)) assertField(field, controlFields[control], `A ${control}`);
  changing.apply([declare(changing.document, sectionOfKind(control), name, Object.entries(fields))]);
  joinScope(changing, scope, name, after);
  return [name];
}
