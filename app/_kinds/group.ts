import { ArrowRight, Rows3 } from "lucide-react";
import type { Group } from "@/lib/core/kinds/group";
import { writeAgents, writeFlow } from "./fragments";
import type { KindView } from "./kind-view";
import { toSeparatorField } from "./separator-field";

export const groupView: KindView<Group> = {
  label: "Group",
  icon: Rows3,
  modes: {
    parallel: { label: "Parallel group", icon: Rows3 },
    serial: { label: "Serial group", icon: ArrowRight },
  },
  toCard: () => ({ type: "frame", detail: "" }),
  toForm: (group) => [
    { type: "fact", label: "Type", value: group.mode },
    ...(group.mode === "parallel" ? [toSeparatorField(group)] : []),
    { type: "links" },
    { type: "write-out" },
  ],
  inserts: [
    {
      id: "group",
      label: "Parallel group",
      description: "A named group whose members run at once",
      words: "frame",
      toFragment: (model) => `${writeAgents(["member", "member_2"], model)}groups:
  group: { type: parallel, flow: member | member_2 }
${writeFlow("group")}`,
    },
  ],
};
