import { printName } from "@/lib/core/dsl/print";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { declaredNames } from "@/lib/core/kinds/members";

export interface ReusableNode {
  name: string;
  kind: string;
  fragment: string;
}

export const listReusable = (flow: Flow): ReusableNode[] =>
  declaredNames(flow).map((name) => ({
    name,
    kind: findDeclaration(flow, name)?.type ?? "unknown",
    fragment: `swarm:\n  flow: ${JSON.stringify(printName(name))}\n`,
  }));
