import type { Edit } from "@/lib/core/flow/edit";
import type { Expression } from "@/lib/core/flow/expression";
import type { Agent } from "@/lib/core/kinds/agent";
import type { Router } from "@/lib/core/kinds/router";
import type { Swarm } from "@/lib/core/kinds/swarm";

interface LabelledField {
  label: string;
  hint?: string | undefined;
}

interface TextualField extends LabelledField {
  value: string;
  placeholder?: string;
  toEdit(text: string): Edit;
}

export type FormField =
  | (TextualField & { type: "text" | "line" | "area" | "prompt" })
  | (TextualField & { type: "condition"; inLoop?: boolean })
  | (LabelledField & {
      type: "number";
      value: number | undefined;
      /** The text that looks the value up. */
      written: string | undefined;
      placeholder: string;
      toEdit(value: number | string | undefined): Edit;
    })
  | (LabelledField & {
      type: "select";
      value: string;
      options: readonly { value: string; label: string }[];
      toEdits(value: string): Edit[];
    })
  | (LabelledField & { type: "fact"; value: string })
  | (LabelledField & { type: "lane"; control: string; lane: string; flow: Expression | undefined })
  | { type: "model"; value: string | undefined; written: string | undefined; toEdit(model: string): Edit }
  | { type: "agent-output" | "agent-limits"; agent: Agent }
  | { type: "router-lanes"; router: Router }
  | { type: "swarm-mode"; swarm: Swarm }
  | { type: "links" | "write-out" };
