import type { NodeDeclaration } from "../flow/flow";

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
