import { ArrowRight, Rows3 } from "lucide-react";
import type { Group } from "@/lib/core/kinds/group";
import { writeAgents, writeFlow } from "./fragments";
import { kindStyles } from "./kind-styles";
import type { KindView } from "./kind-view";
import { toSeparatorField } from "./separator-field";

export const groupView: KindView<Group> = {
  ...kindStyles.group,
  modes: {
    parallel: { label: "Parallel group", short: "Parallel", icon: Rows3 },
    serial: { label: "Serial group", short: "Serial", icon: ArrowRight },
  },
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
