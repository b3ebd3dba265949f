import type { FlowAgents } from "@/lib/core/flow/agent-numbers";
import { listAgents } from "@/lib/core/kinds/list-agents";
import { readSource } from "@/lib/core/source/read-source";

export const readAgents = (source: string): FlowAgents => listAgents(readSource(source).flow);
