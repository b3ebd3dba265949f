import type { Approval } from "../../kinds/approval";
import type { Branch } from "../../kinds/branch";
import type { Loop } from "../../kinds/loop";
import type { Router } from "../../kinds/router";
import { type DeclarationCompiler, InvalidFlowError } from "./plan-compiler";

export const branchCompiler: DeclarationCompiler<Branch> = {
  compile: ({ type, name, condition, if_true, if_false }, title, compiler) => ({
    type,
    name,
    condition: compiler.condition(condition, title),
    ifTrue: compiler.lane(if_true),
    ifFalse: compiler.lane(if_false),
  }),
};

export const routerCompiler: DeclarationCompiler<Router> = {
  compile({ type, name, model, instructions, lanes }, title, compiler) {
    if (lanes.size === 0) throw new InvalidFlowError(`The ${title} has no lanes. Write at least one under \`lanes:\`.`);
    const planLanes = [...lanes].map(([lane, { when, flow }]) => ({ lane, when, body: compiler.lane(flow) }));
    return { type, name, model, instructions, lanes: planLanes };
  },
};

export const loopCompiler: DeclarationCompiler<Loop> = {
  compile({ type, name, body: flow, count, while: condition, for_each: items, limit, separator }, title, compiler) {
    const body = compiler.lane(flow);
    if (!body) throw new InvalidFlowError(`The ${title} has no body that can run. Write e.g. body: writer >> critic.`);
    if ([count, condition, items].filter((repetition) => repetition !== undefined).length !== 1)
      throw new InvalidFlowError(`The ${title} needs exactly one of count, while and for_each.`);
    return {
      type,
      name,
      body,
      limit,
      separator,
      ...(count !== undefined && { count }),
      ...(condition !== undefined && { condition: compiler.condition(condition, title) }),
      ...(items !== undefined && { items: compiler.condition(items, title) }),
    };
  },
};

export const approvalCompiler: DeclarationCompiler<Approval> = {
  compile: ({ type, name, message, timeout_seconds: timeoutSeconds }) => ({
    type,
    name,
    message,
    timeoutSeconds,
  }),
};
