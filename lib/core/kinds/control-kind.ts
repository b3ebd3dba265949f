import { namesOf } from "../flow/expression";
import type { Control } from "../flow/flow";
import type { Lane } from "./node-content";
import type { NodeKind } from "./node-kind";

type ControlDefaults =
  | "article"
  | "otherFields"
  | "isContainer"
  | "isControl"
  | "isAlwaysWritten"
  | "mayBeListed"
  | "nestedFields"
  | "requiresLanes"
  | "conditionFields"
  | "repeats"
  | "promptFields"
  | "title"
  | "collection"
  | "declare"
  | "unreadLanes"
  | "members"
  | "listedMembers"
  | "restoreLanes"
  | "lanes"
  | "lanePath"
  | "check"
  | "content";

/** A kind of control: what is particular to it, over the defaults of a node that is declared in `controls` of a flow. */
export function defineControl<Node extends Control>(
  definition: Omit<NodeKind<Node>, ControlDefaults> & Partial<Pick<NodeKind<Node>, ControlDefaults>>,
): NodeKind<Node> {
  const lanes = (declaration: Node): Lane[] => definition.lanes?.(declaration) ?? [];
  const isContainer = definition.lanes !== undefined;
  return {
    article: "a",
    otherFields: [],
    isContainer,
    isControl: true,
    isAlwaysWritten: false,
    mayBeListed: false,
    nestedFields: {},
    requiresLanes: false,
    conditionFields: [],
    repeats: false,
    promptFields: [],
    title: (name) => `${definition.type[0]?.toUpperCase()}${definition.type.slice(1)} "${name}"`,
    collection: ({ controls }) => controls,
    declare: ({ controls }, declaration) => {
      if (!controls.has(declaration.name)) controls.set(declaration.name, declaration);
    },
    unreadLanes: (declaration, reader) => {
      const readLanes = new Map(lanes(declaration));
      return reader.writtenLanes().flatMap(({ lane, isBlank }) => (!isBlank && !readLanes.get(lane) ? [lane] : []));
    },
    restoreLanes: (declaration) => declaration,
    lanes,
    members: (declaration) => membersOfLanes(lanes(declaration)),
    listedMembers: () => [],
    lanePath: (lane) => [lane],
    check: () => [],
    content: (declaration) => (isContainer ? { type: "lanes", lanes: lanes(declaration) } : null),
    ...definition,
  };
}

/** Every name in the lanes, in written order, each once. */
export const membersOfLanes = (lanes: readonly Lane[]): string[] => [
  ...new Set(lanes.flatMap(([, flow]) => (flow ? namesOf(flow).map(({ name }) => name) : []))),
];
