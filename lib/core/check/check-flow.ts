import { namesOf } from "../flow/expression";
import { type Declaration, type Flow, findDeclaration } from "../flow/flow";
import { type NodeKey, nodeKey } from "../flow/node-key";
import type { FlowProblem } from "../flow/problem";
import { createSuggester } from "../flow/suggest-name";
import { clip } from "../flow/text-range";
import { containersOf, declaredNames, isEmptyFlow, toTypeText } from "../kinds/members";
import { kindOf } from "../kinds/registry";
import { createDeclarationChecks, describeMissingKey } from "./check-agent";
import { checkNesting, checkReached, findNodeKeys } from "./check-nesting";
import { limitProblems } from "./limit-problems";
import type { Offer } from "./offer";

/**
 * The problems of what a flow declares. Not of the syntax of its text, and not of drawings that no DSL text can express.
 * Linear in the size of the flow.
 */
export function checkFlow(flow: Flow, offer: Offer = {}): FlowProblem[] {
  const nodeKeys = findNodeKeys(flow);
  const checks = createDeclarationChecks(flow, offer);
  const checkMembers = createMemberCheck(flow);
  const problems: FlowProblem[] = [...checkNames(flow)];
  const checkDeclaration = (declaration: Declaration, owner: string | null): void => {
    problems.push(...checkMembers(owner, declaration));
    if (owner === null && isEmptyFlow(flow)) return;
    for (const problem of kindOf(declaration).check(declaration, checks)) problems.push({ ...problem, owner });
  };
  if (flow.agents.size === 0) problems.push(noAgents(flow));
  for (const declarations of [flow.agents, flow.groups, flow.swarms, flow.controls])
    for (const declaration of declarations.values()) checkDeclaration(declaration, declaration.name);
  checkDeclaration(flow.swarm, null);
  for (const problem of checkNesting(flow)) problems.push({ ...problem, severity: "error" });
  for (const problem of checkReached(flow)) problems.push({ ...problem, severity: "warning" });
  return joinMissingKeys(
    limitProblems(problems).map((problem) => withNodes(problem, nodeKeys)),
    flow,
    offer,
  );
}

/** One problem for each provider without a key, at its first node, instead of one for each node that uses it. */
function joinMissingKeys(problems: FlowProblem[], flow: Flow, { providers = [] }: Offer): FlowProblem[] {
  const unavailable = providers.filter(({ available }) => !available);
  let joined = problems;
  for (const provider of unavailable) {
    const alike = joined.filter((problem) => problem.provider === provider.id);
    const [first, ...others] = alike;
    if (!first || others.length === 0) continue;
    const noun = alike.every(({ owner }) => owner && flow.agents.has(owner)) ? "agents" : "nodes";
    const message = describeMissingKey(provider, `${alike.length} ${noun} use it`);
    const problem = { ...first, message, nodes: alike.flatMap(({ nodes = [] }) => nodes) };
    const replaced = new Set(others);
    joined = joined.flatMap((one) => (one === first ? problem : replaced.has(one) ? [] : one));
  }
  return joined;
}

/** A new flow is empty: it cannot run, but that is no error. */
const noAgents = (flow: Flow): FlowProblem =>
  isEmptyFlow(flow)
    ? { code: "no-agents", severity: "info", message: "The flow has no agents yet. Add one to run it." }
    : { code: "no-agents", severity: "error", message: "The flow has no agents. Add one under `agents:`." };

/** Adds the affected nodes: those of the owner or, for a member name, the nodes of that name in the owner. */
function withNodes(problem: FlowProblem, nodeKeys: ReadonlyMap<string, readonly NodeKey[]>): FlowProblem {
  const { owner, reference, code } = problem;
  if (owner === undefined) return problem;
  const ownerKeys = owner === null ? [""] : nodeKeys.get(owner);
  if (!ownerKeys) return { ...problem, nodes: [nodeKey("", owner ?? "")] };
  const memberName = code === "unknown-name" || code === "duplicate-name" ? reference : undefined;
  if (memberName !== undefined)
    return { ...problem, nodes: ownerKeys.map((ownerKey) => nodeKey(ownerKey, memberName)) };
  return owner === null ? problem : { ...problem, nodes: ownerKeys };
}

function checkNames(flow: Flow): FlowProblem[] {
  return [...containersOf(flow).keys()].flatMap((owner): FlowProblem[] => {
    const declarations = [flow.agents, flow.groups, flow.swarms, flow.controls].flatMap((map) => map.get(owner) ?? []);
    if (declarations.length < 2) return [];
    const types = declarations.map(toTypeText).join(" and ");
    const message = `"${owner}" is ${types}. All of them share one list of names: rename one.`;
    return [{ code: "name-taken", severity: "error", owner, message }];
  });
}

/** A check of the names that a declaration contains. */
function createMemberCheck(flow: Flow): (owner: string | null, declaration: Declaration) => FlowProblem[] {
  const suggest = createSuggester(declaredNames(flow));
  return (owner, declaration) => {
    const kind = kindOf(declaration);
    if (!kind.isContainer) return [];
    const lanes = kind.lanes(declaration).flatMap(([, lane]) => (lane ? [namesOf(lane)] : []));
    // Names of a text have ranges, and the parser has reported those that it contains twice.
    const builtNames = lanes.flat().flatMap(({ name, range }) => (range.to > range.from ? [] : [name]));
    const laneNames = lanes.flatMap((names) => [...new Set(names.map(({ name }) => name))]);
    const repeatedNames = [builtNames, kind.listedMembers(declaration), laneNames].flatMap(findRepeated);
    const unknownNames = kind.members(declaration).filter((name) => !findDeclaration(flow, name));
    return [
      ...repeatedNames.map((name): FlowProblem => {
        const message = `"${clip(name)}" is listed twice. Each name may be used once: remove one, or declare a second agent.`;
        return { code: "duplicate-name", severity: "error", owner, reference: name, message };
      }),
      ...unknownNames.map((name): FlowProblem => {
        const nearestName = suggest(name);
        const hint = nearestName === null ? "Declare it under `agents:`." : `Did you mean "${nearestName}"?`;
        const message = `There is no agent, group or swarm "${clip(name)}". ${hint}`;
        return { code: "unknown-name", severity: "error", owner, reference: name, message };
      }),
    ];
  };
}

function findRepeated(names: readonly string[]): string[] {
  const seenNames = new Set<string>();
  const repeatedNames = new Set<string>();
  for (const name of names) (seenNames.has(name) ? repeatedNames : seenNames).add(name);
  return [...repeatedNames];
}
