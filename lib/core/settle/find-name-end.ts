import type * as Y from "yjs";
import type { Scope } from "../flow/edit";
import { findParts, printId } from "../live/written-parts";
import type { SourceDocument } from "../source/read/source-document";
import { rangeOfNode } from "../source/yaml/yaml-nodes";

/** The letter after the name of what has these members, which stays when the name changes; undefined: they are the flow's own. */
export function findNameEnd(doc: Y.Doc, { declarations, text }: SourceDocument, scope: Scope): string | undefined {
  const node = scope.type === "root" ? undefined : declarations.get(scope.name)?.nameNode;
  const range = rangeOfNode(node, text);
  const [part] = range ? findParts(doc, { from: range.to, to: range.to + 1 }) : [];
  return part && printId(part.start);
}
