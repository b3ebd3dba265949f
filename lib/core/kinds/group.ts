import { type Expression, joinExpressions, nameExpression } from "../flow/expression";
import type { NodeDeclaration } from "../flow/flow";
import { defaultSeparator } from "../flow/flow";
import { addDeclaration, defineKind } from "./define-kind";

declare module "../flow/flow" {
  interface DeclarationTypes {
    group: Group;
  }
}

export const groupModes = ["parallel", "serial"] as const;
export const errorChoices = ["stop", "continue"] as const;

/** Members that run concurrently on the same input, or one after another. */
export interface Group extends NodeDeclaration {
  type: "group";
  name: string;
  mode: (typeof groupModes)[number];
  /** The members, joined as `mode` defines. Missing when the text of the members could not be read. */
  flow?: Expression;
  /** Between the members' outputs, for parallel groups. */
  separator: string;
  /** Parallel groups: what the failure of one member does to the others. Missing: it stops them. */
  on_error?: (typeof errorChoices)[number];
}

/** How the members of a group are written. */
export const toFlowTextKind = (mode: Group["mode"]) => (mode === "parallel" ? "group-parallel" : "group-serial");

export const groupKind = defineKind<Group>({
  type: "group",
  section: "groups",
  fieldTypes: { type: "choice", flow: "topology", agents: "topology", separator: "choice", on_error: "choice" },
  collection: ({ groups }) => groups,
  declare: ({ groups }, group) => addDeclaration(groups, group),
  create: (name) => ({ type: "group", name, mode: "parallel", separator: defaultSeparator }),
  read(reader) {
    const mode = reader.choice("type", groupModes, "parallel");
    const written = reader.flow("flow", toFlowTextKind(mode));
    const names = reader.names("agents") ?? [];
    const nameNodes = names.map((name) => nameExpression(name));
    const flow = written ?? (names.length > 0 ? joinExpressions(mode, nameNodes) : undefined);
    if (!flow && !reader.has("flow"))
      reader.report("no-members", `${reader.title} has no members. Write e.g. flow: "a | b".`);
    const onError = reader.choice("on_error", errorChoices, "stop");
    return {
      type: "group",
      name: reader.name,
      mode,
      separator: reader.filledText("separator") ?? defaultSeparator,
      ...(flow && { flow }),
      ...(onError === "continue" && { on_error: onError }),
      ...reader.fieldTexts(),
    };
  },
  unreadLanes: (group, reader) => (!group.flow && reader.has("flow") ? ["flow"] : []),
  write: ({ mode, flow, separator, on_error }, print) => [
    ["type", mode],
    ["flow", flow ? print(flow, toFlowTextKind(mode)) : ""],
    ["separator", separator === defaultSeparator ? undefined : separator],
    ["on_error", on_error],
  ],
  lanes: ({ flow }) => [["flow", flow]],
  content: ({ flow }) => (flow ? { type: "flow", flow } : { type: "members", members: [] }),
});
