import { printFlow, printName } from "../../../dsl/print";
import {
  type Expression,
  nameExpression,
  namesOf,
  parallelExpression,
  serialExpression,
} from "../../../flow/expression";
import type { Flow } from "../../../flow/flow";
import type { Group } from "../../../kinds/group";
import { lanesOf } from "../../../kinds/registry";
import type { Swarm } from "../../../kinds/swarm";
import { rosterOf } from "../../../kinds/swarm-roster";
import { isOrbiterFlow, isOrbiterName, printOrbiterFlow } from "../orbiter-flow";
import type { Exported } from "./exported";

/**
 * The flow of the root swarm in one line, and below it a comment for each named part: `# parallel review: a | b`. The
 * importer reads these comments again.
 */
export function exportDsl(flow: Flow): Exported {
  const losses = new Set<string>();
  if (flow.agents.size > 0) losses.add("A flow line holds names only: models, instructions and tools are not in it.");
  if (flow.swarm.edges && flow.swarm.mode === "workflow")
    losses.add("The drawing of the root swarm cannot be written as one line yet; its links are listed in a comment.");
  if ([flow.swarm, ...flow.swarms.values()].some(({ mode: type, edges }) => type === "handoff" && edges))
    losses.add("The handoffs between its agents are not in it.");
  const lines = [
    swarmText(flow.swarm),
    ...(flow.swarm.mode === "workflow" ? [] : [`# ${flow.swarm.mode}`]),
    ...[...flow.groups.values()].map((group) => commentLine(group.mode, group.name, groupText(group))),
    ...[...flow.swarms.values()].map((swarm) => commentLine(swarm.mode, swarm.name, swarmText(swarm))),
    ...[...flow.controls.values()].flatMap((control) =>
      lanesOf(control).map(([lane, laneFlow]) =>
        commentLine(control.type, `${label(control.name)} ${label(lane)}`, laneFlow ? printFlow(laneFlow) : "", true),
      ),
    ),
  ];
  return { text: `${lines.join("\n")}\n`, notes: [], losses: [...losses] };
}

/** A name before a colon. */
const label = (name: string): string =>
  /[:"]/.test(name) || printName(name) !== name ? `"${name.replaceAll(/["\\]/g, "\\$&")}"` : name;

const commentLine = (type: string, name: string, text: string, isLabel = false): string =>
  `# ${type} ${isLabel ? name : label(name)}: ${text}`.trimEnd();

const groupText = ({ mode: type, flow }: Group): string =>
  flow ? printFlow(flow, { as: type === "parallel" ? "group-parallel" : "group-serial" }) : "";

function swarmText(swarm: Swarm): string {
  if (swarm.mode === "workflow") {
    if (swarm.flow) return printFlow(swarm.flow);
    return swarm.edges
      ? `# ${swarm.edges.map(([source, target]) => `${printName(source)} -> ${printName(target)}`).join(", ")}`
      : "";
  }
  const roster = toRosterFlow(rosterOf(swarm));
  return roster ? printFlow(roster) : "";
}

/** The member that starts or leads, then the others side by side. */
function toRosterFlow([firstMember, ...otherMembers]: readonly string[]): Expression | null {
  if (firstMember === undefined) return null;
  const otherNames = otherMembers.map((name) => nameExpression(name));
  return serialExpression([
    nameExpression(firstMember),
    ...(otherNames.length > 0 ? [parallelExpression(otherNames)] : []),
  ]);
}

/** The flow line of the root swarm as Orbiter's `Swarm(flow=…)` reads it. */
export function exportOrbiterDsl(flow: Flow): Exported {
  const { swarm, compat, controls } = flow;
  const expression = swarm.mode === "workflow" ? swarm.flow : toOrderFlow(rosterOf(swarm));
  if (!expression) return { text: "\n", notes: [], losses: ["The root swarm has no flow that one line can express."] };
  const notes: string[] = [];
  const losses: string[] = [];
  if (swarm.mode !== "workflow")
    notes.push(`Give Orbiter mode="${swarm.mode}" beside it; the first name starts or leads.`);
  if (!isOrbiterFlow(expression))
    losses.push("Orbiter knows no stages inside parentheses: this is the order in which it would run them.");
  else if (compat !== "orbiter" && namesOf(expression).length > 1 && printFlow(expression).includes("|"))
    losses.push("Orbiter runs the names inside parentheses one after another; a ParallelGroup runs them at once.");
  const control = namesOf(expression).find(({ name }) => controls.has(name));
  if (control)
    losses.push(`Orbiter has no ${controls.get(control.name)?.type}: it refuses the name "${control.name}".`);
  const odd = namesOf(expression).find(({ name }) => !isOrbiterName(name));
  if (odd) losses.push(`Orbiter cannot write the name "${odd.name}": rename it before you use this line.`);
  return { text: `${printOrbiterFlow(expression)}\n`, notes, losses };
}

const toOrderFlow = (names: readonly string[]): Expression | null =>
  names.length > 0 ? serialExpression(names.map((name) => nameExpression(name))) : null;
