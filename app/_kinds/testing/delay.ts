import { Timer } from "lucide-react";
import type { NodeDeclaration } from "@/lib/core/flow/flow";
import { setControlField } from "../control-edits";
import { writeFlow } from "../fragments";
import type { KindView } from "../kind-view";

interface DelayDeclaration extends NodeDeclaration {
  seconds: number;
}

/** Everything that the app needs for one more kind of node: this file, and its line in the registry. */
export const delayView: KindView<DelayDeclaration> = {
  label: "Delay",
  icon: Timer,
  toForm: ({ name, seconds }) => [
    {
      type: "number",
      label: "Seconds",
      hint: "How long the flow pauses.",
      value: seconds,
      written: undefined,
      placeholder: "1",
      toEdit: (value) => setControlField(name, ["seconds"], value),
    },
    { type: "links" },
  ],
  inserts: [
    {
      id: "delay",
      label: "Delay",
      description: "A pause before the flow continues",
      words: "wait pause control",
      toFragment: () => `delays:\n  delay: { seconds: 5 }\n${writeFlow("delay")}`,
    },
  ],
  createControl: () => ({ seconds: 5 }),
};
