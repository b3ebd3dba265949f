import type { Declaration, DeclarationTypes, NodeType } from "../../flow/flow";
import type { Group } from "../../kinds/group";
import { approvalCompiler, branchCompiler, loopCompiler, routerCompiler } from "./compile-control";
import { swarmCompiler } from "./compile-swarm";
import type { DeclarationCompiler, PlanCompiler } from "./plan-compiler";
import type { NamedPlanNode } from "./plan-node";

const groupCompiler: DeclarationCompiler<Group> = {
  compile: ({ name, flow, separator, on_error }, title, compiler) => ({
    type: "group",
    name,
    body: compiler.topology(flow, title, { separator, keepGoing: on_error === "continue" }),
  }),
};

const builtInCompilers = {
  group: groupCompiler,
  swarm: swarmCompiler,
  branch: branchCompiler,
  router: routerCompiler,
  loop: loopCompiler,
  approval: approvalCompiler,
} satisfies { readonly [Type in NodeType]?: DeclarationCompiler<DeclarationTypes[Type]> };

const compilers = new Map<string, DeclarationCompiler>(Object.entries<DeclarationCompiler>(builtInCompilers));

/** Adds the compiler of a node type that can contain others, or directs the flow. */
export function registerCompiler(type: NodeType, compiler: DeclarationCompiler): void {
  compilers.set(type, compiler);
}

export function compileDeclaration(declaration: Declaration, title: string, compiler: PlanCompiler): NamedPlanNode {
  const declarationCompiler = compilers.get(declaration.type);
  if (!declarationCompiler) throw new Error(`No compiler is registered for the type ${declaration.type}.`);
  return declarationCompiler.compile(declaration, title, compiler);
}
