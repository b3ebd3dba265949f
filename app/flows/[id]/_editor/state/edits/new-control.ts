import { findKindView } from "@/app/_kinds/registry";
import type { Control, Flow } from "@/lib/core/flow/flow";
import { freeName, type NewAgent, type NewControl } from "./node-edits";

export function createControl(flow: Flow, type: Control["type"], model: string): NewControl {
  const agents: NewAgent[] = [];
  const addAgent = (base: string): string => {
    const name = freeName(flow, base);
    agents.push({ name, model });
    return name;
  };
  const fields = findKindView(type)?.createControl?.({ model, addAgent }) ?? {};
  return { control: type, name: freeName(flow, type), fields, agents };
}
