import { asWritten } from "@/lib/core/flow/field-variables";
import type { Approval } from "@/lib/core/kinds/approval";
import { setControlField, setControlText } from "./control-edits";
import { describeVariable } from "./describe-variable";
import { writeFlow } from "./fragments";
import { kindStyles } from "./kind-styles";
import type { KindView } from "./kind-view";

const newMessage = "May this go on?";

export const approvalView: KindView<Approval> = {
  ...kindStyles.approval,
  toForm: (approval) => [
    {
      type: "area",
      label: "Question",
      value: asWritten(approval, "message", approval.message),
      hint: describeVariable(approval.written?.message, approval.message),
      placeholder: "The question for the user before the flow continues.",
      toEdit: (text) => setControlText(approval.name, ["message"], text),
    },
    {
      type: "number",
      label: "Timeout, seconds",
      hint: "Without an answer the run ends with TIMEOUT.",
      value: approval.timeout_seconds,
      written: approval.written?.timeout_seconds,
      placeholder: "none",
      toEdit: (value) => setControlField(approval.name, ["timeout_seconds"], value),
    },
    { type: "links" },
  ],
  inserts: [
    {
      id: "approval",
      label: "Approval",
      description: "A user approves or rejects the text",
      words: "human review control",
      toFragment: () => `approvals:\n  approval: { message: ${newMessage} }\n${writeFlow("approval")}`,
    },
  ],
  createControl: () => ({ message: newMessage }),
};
