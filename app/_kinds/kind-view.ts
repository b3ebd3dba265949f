import type { LucideIcon } from "lucide-react";
import type { Edit } from "@/lib/core/flow/edit";
import type { NodeDeclaration } from "@/lib/core/flow/flow";
import type { FormField } from "./form-field";

/** How the app shows one kind of node. `Node` is in parameters of methods only, so that all kinds fit into one table. */
export interface KindView<Node extends NodeDeclaration = NodeDeclaration> {
  label: string;
  icon: LucideIcon;
  /** Instead of `label` and `icon`, by the node's mode. */
  modes?: Readonly<Record<string, { label: string; short?: string; icon: LucideIcon }>>;
  toForm(declaration: Node): readonly FormField[];
  inserts: readonly InsertEntry[];
  /** Only for controls: the fields of a new one. */
  createControl?(lanes: {
    model: string;
    /** Returns the text of the next lane: what the control is put around, else a new agent, whose name begins with `base`. */
    addLane(base: string): string;
  }): Extract<Edit, { type: "add-control" }>["fields"];
}

export interface InsertEntry {
  id: string;
  label: string;
  description: string;
  /** Further search terms. */
  words: string;
  /** The nodes as a flow file; agents use `model`. */
  toFragment(model: string): string;
}
