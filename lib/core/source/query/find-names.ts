import type { TextRange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { rangeOfNode } from "../yaml/yaml-nodes";

/** The occurrences of a name: its declaration, and its references in groups, swarms and controls. */
export interface NameOccurrences {
  declaration: TextRange | null;
  references: TextRange[];
}

/** Every place of a name, in the order of the text. */
export function findName(document: SourceDocument, name: string): NameOccurrences {
  const declaration = document.declarations.get(name);
  const references = [...document.topologies.values()].flatMap((topology) =>
    topology.references.flatMap((reference) => (reference.name === name ? [reference.range] : [])),
  );
  return {
    declaration: rangeOfNode(declaration?.nameNode, document.text) ?? null,
    references: references.toSorted((a, b) => a.from - b.from),
  };
}

/** The name that is written at the offset, and where: one that is declared there, or a member. Null: no name. */
export function nameWrittenAt(document: SourceDocument, offset: number): { name: string; range: TextRange } | null {
  const holds = ({ from: start, to: end }: TextRange): boolean => start <= offset && offset <= end;
  const scope = document.scopeAt(offset);
  const declared = scope === null ? undefined : rangeOfNode(document.declarations.get(scope)?.nameNode, document.text);
  if (scope !== null && declared && holds(declared)) return { name: scope, range: declared };
  const owners = document.structure.cache ? [scope, null] : [...document.topologies.keys()];
  for (const owner of owners) {
    const reference = document.topologies.get(owner)?.references.find(({ range }) => holds(range));
    if (reference) return reference;
  }
  return null;
}
