import type { NodeDeclaration } from "../flow/flow";
import { defineControl } from "./define-kind";
import { searchFieldsOf } from "./search-field";

declare module "../flow/flow" {
  interface DeclarationTypes {
    approval: Approval;
  }
}

/** A user approves or rejects the text before the flow continues. */
export interface Approval extends NodeDeclaration {
  type: "approval";
  name: string;
  /** The question for the user. */
  message: string;
  timeout_seconds?: number;
}

export const approvalKind = defineControl<Approval>({
  type: "approval",
  article: "an",
  section: "approvals",
  fieldTypes: { message: "prose", timeout_seconds: "number" },
  create: (name) => ({ type: "approval", name, message: "" }),
  read(reader) {
    const timeout = reader.number("timeout_seconds", { least: 0.001, most: 31_536_000, isInteger: false });
    return {
      type: "approval",
      name: reader.name,
      message: reader.filledText("message") ?? "",
      ...(timeout !== undefined && { timeout_seconds: timeout }),
      ...reader.fieldTexts(),
    };
  },
  write: ({ message, timeout_seconds }) => [
    ["message", message],
    ["timeout_seconds", timeout_seconds],
  ],
  searchFields: (approval) => searchFieldsOf(approval, [["instructions", "Question", "message"]]),
  card: ({ message }) => ({
    type: "frame",
    shape: "hexagon",
    detail: message === "" ? "asks a person" : message,
    detailIsText: true,
  }),
});
