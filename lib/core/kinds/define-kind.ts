import { namesOf } from "../flow/expression";
import type { Control, Declaration } from "../flow/flow";
import type { FieldType } from "./field-types";
import type { Lane, NodeKind } from "./node-kind";

/** A kind: what is particular to it, over the defaults of a node. */
type KindDefinition<Node extends Declaration, Default extends string = keyof ReturnType<typeof toDefaults>> = Omit<
  NodeKind<Node>,
  Default | keyof ReturnType<typeof listFields>
> &
  Partial<Pick<NodeKind<Node>, Extract<keyof NodeKind<Node>, Default>>>;

/** The lists of fields that the types of the fields say. */
function listFields({ fieldTypes, otherFieldTypes = {}, nestedFieldTypes = {} }: DeclaredFields) {
  const allTypes = Object.entries({ ...fieldTypes, ...otherFieldTypes });
  const fieldsOf = (wanted: FieldType): string[] =>
    allTypes.flatMap(([field, type]) => (type === wanted ? [field] : []));
  return {
    fields: Object.keys(fieldTypes),
    otherFields: Object.keys(otherFieldTypes),
    nestedFields: Object.fromEntries(
      Object.entries(nestedFieldTypes).map(([field, nestedTypes]) => [field, Object.keys(nestedTypes)]),
    ),
    conditionFields: fieldsOf("condition"),
    promptFields: fieldsOf("prompt"),
  } satisfies Partial<NodeKind>;
}

type DeclaredFields = Pick<NodeKind, "fieldTypes"> & Partial<Pick<NodeKind, "otherFieldTypes" | "nestedFieldTypes">>;

/** What most kinds have in common: a node with these lanes, or without any. */
const toDefaults = <Node extends Declaration>(type: string, lanesOfNode?: NodeKind<Node>["lanes"]) => {
  const lanes = (declaration: Node): Lane[] => lanesOfNode?.(declaration) ?? [];
  return {
    article: "a",
    otherFieldTypes: {},
    isContainer: lanesOfNode !== undefined,
    isControl: false,
    isAlwaysWritten: false,
    mayBeListed: false,
    nestedFieldTypes: {},
    alternativeFields: [],
    requiresLanes: false,
    repeats: false,
    title: (name) => `${type[0]?.toUpperCase()}${type.slice(1)} "${name}"`,
    unreadLanes: (declaration, reader) => {
      const readLanes = new Map(lanes(declaration));
      return reader.writtenLanes().flatMap(({ lane, isBlank }) => (!isBlank && !readLanes.get(lane) ? [lane] : []));
    },
    restoreLanes: (declaration, previous, unread) => ({
      ...declaration,
      ...Object.fromEntries(lanes(previous).filter(([lane, flow]) => flow && unread.includes(lane))),
    }),
    lanes,
    members: (declaration) => (lanesOfNode ? membersOfLanes(lanesOfNode(declaration)) : []),
    listedMembers: () => [],
    searchFields: () => [],
    lanePath: (lane) => [lane],
    check: () => [],
    card: () => ({ type: "frame", detail: "" }),
    content: (declaration) => (lanesOfNode ? { type: "lanes", lanes: lanes(declaration) } : null),
  } satisfies Partial<NodeKind<Node>>;
};

export const defineKind = <Node extends Declaration>(definition: KindDefinition<Node>): NodeKind<Node> => ({
  ...toDefaults<Node>(definition.type, definition.lanes),
  ...listFields(definition),
  ...definition,
});

/** A kind that is declared in `controls` of a flow. */
export const defineControl = <Node extends Control>(
  definition: KindDefinition<Node, keyof ReturnType<typeof toDefaults> | "collection" | "declare">,
): NodeKind<Node> =>
  defineKind<Node>({
    isControl: true,
    collection: ({ controls }) => controls,
    declare: ({ controls }, declaration) => addDeclaration(controls, declaration),
    ...definition,
  });

/** Adds a declaration, unless its name is declared already. */
export function addDeclaration<Node extends Declaration>(declarations: Map<string, Node>, declaration: Node): void {
  if (!declarations.has(declaration.name)) declarations.set(declaration.name, declaration);
}

/** Every name in the lanes, in written order, each once. */
export function membersOfLanes(lanes: readonly Lane[]): string[] {
  const names = new Set<string>();
  for (const [, flow] of lanes) if (flow) for (const { name } of namesOf(flow)) names.add(name);
  return [...names];
}
