import { isScalar } from "yaml";
import { checkCondition } from "../../condition/check";
import { parseCondition } from "../../condition/parse";
import type { Flow } from "../../flow/flow";
import type { CheckPattern, Problem } from "../../flow/problem";
import { containersOf, declaredNames } from "../../kinds/members";
import { kindOf, membersOf } from "../../kinds/registry";
import { moveProblems, scalarOffsets } from "../yaml/scalar-offsets";
import { isBlank, rangeOfNode } from "../yaml/yaml-nodes";
import type { SourceTopology } from "./topology-site";

/** What is wrong with the conditions of branches and loops, at its place in the text. */
export function checkConditions(
  flow: Flow,
  topologies: ReadonlyMap<string | null, SourceTopology>,
  { text, checkPattern }: { text: string; checkPattern: CheckPattern | undefined },
): Problem[] {
  if (flow.controls.size === 0) return [];
  const outputs = new Set(declaredNames(flow));
  const looped = namesInLoops(flow);
  const checkOnce = checkPattern && limitPatterns(checkPattern);
  return [...flow.controls.values()].flatMap((control) => {
    const topology = topologies.get(control.name);
    return kindOf(control).conditionFields.flatMap((field): Problem[] => {
      const node = topology?.entries.get(field)?.value ?? null;
      if (!isScalar(node) || isBlank(node) || typeof node.value !== "string") return [];
      const { expression, problems } = parseCondition(node.value);
      const loop = kindOf(control).repeats || looped.has(control.name);
      const conditionProblems = expression
        ? checkCondition(expression, { outputs, vars: flow.vars, loop, checkPattern: checkOnce })
        : problems;
      const nodeRange = rangeOfNode(node, text) ?? { from: 0, to: 0 };
      return moveProblems(conditionProblems, scalarOffsets(text, node), nodeRange);
    });
  });
}

/** Different patterns in the conditions of one flow: reading one takes up to two milliseconds. */
const maxPatterns = 100;

/** Checks each pattern once, and no more of them than a flow may have. */
function limitPatterns(checkPattern: CheckPattern): CheckPattern {
  const mistakes = new Map<string, ReturnType<CheckPattern>>();
  return (pattern) => {
    const known = mistakes.get(pattern);
    if (known !== undefined) return known;
    const isOver = mistakes.size >= maxPatterns;
    const mistake = isOver
      ? `Expected at most ${maxPatterns} different patterns in one flow, found number ${mistakes.size + 1}. Join some of them with |.`
      : checkPattern(pattern);
    mistakes.set(pattern, mistake);
    return mistake;
  };
}

/** Every name inside a loop, at any depth. */
function namesInLoops(flow: Flow): Set<string> {
  const containers = containersOf(flow);
  const loopNames = new Set<string>();
  for (const control of flow.controls.values())
    if (kindOf(control).repeats) for (const name of membersOf(control)) loopNames.add(name);
  for (const name of loopNames) {
    const container = containers.get(name);
    if (container) for (const member of membersOf(container)) loopNames.add(member);
  }
  return loopNames;
}
