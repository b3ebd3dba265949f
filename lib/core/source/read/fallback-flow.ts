import type { Declaration, Flow } from "../../flow/flow";
import type { NodeKind } from "../../kinds/node-kind";
import { kindOf } from "../../kinds/registry";

/** The declaration `name` of a kind in the flow that was read last, or null. */
export function findLastDeclaration(flow: Flow, kind: NodeKind, name: string): Declaration | null {
  const declaration = kind.collection(flow).get(name);
  return declaration?.type === kind.type ? declaration : null;
}

/** The declaration with the lanes that it had in the flow that was read last, for those that cannot be read. */
export function restoreLanes(declaration: Declaration, unread: readonly string[], lastFlow: Flow): Declaration {
  if (unread.length === 0) return declaration;
  const kind = kindOf(declaration);
  const lastDeclaration = findLastDeclaration(lastFlow, kind, declaration.name);
  return lastDeclaration ? kind.restoreLanes(declaration, lastDeclaration, unread) : declaration;
}
