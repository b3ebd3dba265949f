import type { Declaration, DeclarationTypes, NodeType } from "../../flow/flow";
import type { Approval } from "../../kinds/approval";
import type { Branch } from "../../kinds/branch";
import type { Group } from "../../kinds/group";
import type { Loop } from "../../kinds/loop";
import type { Router } from "../../kinds/router";
import { swarmCompiler } from "./compile-swarm";
import { type DeclarationCompiler, InvalidFlowError, type PlanCompiler } from "./plan-compiler";
import type { NamedPlanNode } from "./plan-node";

const groupCompiler: DeclarationCompiler<Group> = {
  compile: ({ name, flow, separator, on_error }, title, compiler) => ({
    type: "group",
    name,
    body: compiler.topology(flow, title, { separator, keepGoing: on_error === "continue" }),
  }),
};

const branchCompiler: DeclarationCompiler<Branch> = {
  compile: ({ type, name, condition, if_true, if_false }, title, compiler) => ({
    type,
    name,
    condition: compiler.condition(condition, title),
    ifTrue: compiler.lane(if_true),
    ifFalse: compiler.lane(if_false),
  }),
};

const routerCompiler: DeclarationCompiler<Router> = {
  compile({ lanes, ...router }, title, compiler) {
    if (lanes.size === 0) throw new InvalidFlowError(`The ${title} has no lanes. Write at least one under \`lanes:\`.`);
    return {
      ...router,
      lanes: [...lanes].map(([lane, { when, flow }]) => ({ lane, when, body: compiler.lane(flow) })),
    };
  },
};

const loopCompiler: DeclarationCompiler<Loop> = {
  compile({ body: flow, while: condition, for_each: items, ...loop }, title, compiler) {
    const body = compiler.lane(flow);
    if (!body) throw new InvalidFlowError(`The ${title} has no body that can run. Write e.g. body: writer >> critic.`);
    if ([loop.count, condition, items].filter((repetition) => repetition !== undefined).length !== 1)
      throw new InvalidFlowError(`The ${title} needs exactly one of count, while and for_each.`);
    return {
      ...loop,
      body,
      ...(condition !== undefined && { condition: compiler.condition(condition, title) }),
      ...(items !== undefined && { items: compiler.condition(items, title) }),
    };
  },
};

const approvalCompiler: DeclarationCompiler<Approval> = { compile: (approval) => approval };

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
