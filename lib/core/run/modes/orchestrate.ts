import { z } from "zod";
import { swarmDefaults } from "../../kinds/swarm";
import type { NodeResult } from "../events/event-recorder";
import { toSpawnedAgentId, toSpawnSuffix } from "../events/spawned-agent-id";
import { addUsage, noUsage } from "../events/usage";
import { defineEngineTool, type EngineTool } from "../loop/agent-tools";
import { runAgent } from "../loop/run-agent";
import type { AgentPlanNode, NamedPlanNode, OrchestratePlanNode } from "../plan/plan-node";
import { childPath, type Engine, type RunPosition, toFailure, toStopped, toSuccess } from "../scope/engine";
import { ScopeStop } from "../scope/scope";
import { runNamed } from "./registry";

/** An agent in the background. */
interface SpawnedAgent {
  id: string;
  agent: string;
  purpose: string;
  status: "waiting" | "running" | "done" | "failed";
  result: NodeResult | null;
  ended: Promise<void>;
}

/**
 * The lead spawns agents that work in the background, at most `max_concurrent` at a time, while it goes on. They cannot
 * spawn, and outlive its answer: the swarm ends when all have ended. A failed one is a result that the lead can read.
 * When the lead itself fails, agents at work finish, those that wait do not start, and the output names what each produced.
 */
export async function runOrchestrate(
  engine: Engine,
  stage: OrchestratePlanNode,
  place: RunPosition,
  input: string,
): Promise<NodeResult> {
  const crew = new SpawnedAgents(engine, stage, place);
  const { lead } = stage;
  const result = await runAgent(engine, place, {
    planNode: lead,
    path: childPath(place, lead.agent.name),
    input,
    engineTools: crew.tools(),
  });
  if (result.status !== "SUCCESS") crew.startNoMore(`The lead "${lead.agent.name}" failed before this agent started.`);
  const spawned = await crew.end();
  const sums = sum([result, ...spawned.flatMap((agent) => agent.result ?? [])]);
  const { conversation: _, metadata: __, ...own } = result;
  const metadata = { spawned: spawned.length };
  if (!place.scope.stop && result.status === "SUCCESS") return { ...own, ...sums, metadata };
  const output = [result.output, ...spawned.flatMap(describeWork)].filter((text) => text !== "").join("\n\n");
  return { ...own, ...(place.scope.stop && toStopped(place.scope.stop)), ...sums, output, metadata };
}

/** What a spawned agent produced, under its id, for a swarm whose lead did not come to an answer. */
function describeWork({ id, agent, purpose, status, result }: SpawnedAgent): string[] {
  return result && result.output !== "" ? [`${id} (${agent}, ${status}): ${purpose}\n${result.output}`] : [];
}

const sum = (results: readonly NodeResult[]): Pick<NodeResult, "usage" | "simulated"> => ({
  usage: results.reduce((usage, result) => addUsage(usage, result.usage), noUsage),
  simulated: results.some(({ simulated }) => simulated),
});

/** The background agents of one lead. */
class SpawnedAgents {
  readonly #spawned = new Map<string, SpawnedAgent>();
  readonly #waiting: (() => void)[] = [];
  readonly #place: RunPosition;
  #running = 0;
  /** Why no agent starts any more. */
  #refusal: ScopeStop | null = null;

  constructor(
    readonly engine: Engine,
    readonly stage: OrchestratePlanNode,
    place: RunPosition,
  ) {
    this.#place = { ...place, scope: place.scope.open(), history: [] };
  }

  tools(): EngineTool[] {
    return [this.#spawnTool(), this.#listTool(), this.#resultTool(), this.#awaitTool()];
  }

  /** Agents that wait for their turn end as cancelled. */
  startNoMore(message: string): void {
    this.#refusal = new ScopeStop("CANCELLED", { code: "cancelled", message });
  }

  /** Resolves with all agents once every one has ended. */
  async end(): Promise<readonly SpawnedAgent[]> {
    const spawned = [...this.#spawned.values()];
    await Promise.all(spawned.map(({ ended }) => ended));
    this.#place.scope.close();
    return spawned;
  }

  #spawnTool(): EngineTool {
    const names = this.stage.workers.map(({ name }) => name);
    const [first, ...others] = names;
    const base = z.strictObject({
      purpose: z.string().min(1).describe("What the agent shall do"),
      context: z.string().optional().describe("Everything that it has to know: it sees nothing else"),
    });
    const worker = first === undefined ? z.undefined() : z.enum([first, ...others]).optional();
    const input = first === undefined ? base : base.extend({ agent: worker.describe("Who does it") });
    const most = this.stage.max_agents ?? swarmDefaults.max_agents;
    return defineEngineTool<{ purpose: string; context?: string | undefined; agent?: string | undefined }>({
      name: "spawn_agent",
      description: "Starts an agent that works in the background. Returns its id at once, not its result.",
      input,
      perform: async ({ purpose, context = "", agent }) => {
        if (this.#spawned.size >= most)
          return refuse(`There are ${most} agents already, the most that this swarm may have.`);
        const spawned = this.#spawn(purpose, context, agent);
        return toSuccess(JSON.stringify({ id: spawned.id, agent: spawned.agent, status: spawned.status }));
      },
    });
  }

  #listTool(): EngineTool {
    return defineEngineTool({
      name: "list_agents",
      description: "Lists the agents that were spawned, with their status.",
      input: z.strictObject({}),
      perform: async () => toSuccess(JSON.stringify([...this.#spawned.values()].map(toListed))),
    });
  }

  #resultTool(): EngineTool {
    return defineEngineTool({
      name: "get_agent_result",
      description: "Gives the result of a spawned agent, if it has ended.",
      input: z.strictObject({ id: z.string() }),
      perform: async ({ id }) => {
        const found = this.#spawned.get(id);
        return found ? toSuccess(JSON.stringify(toReport(found))) : this.#refuseUnknown(id);
      },
    });
  }

  #awaitTool(): EngineTool {
    return defineEngineTool({
      name: "await_agents",
      description: "Waits until the named agents (or all of them) have ended, and gives their results.",
      input: z.strictObject({ ids: z.array(z.string()).optional() }),
      perform: async ({ ids }, { scope }) => {
        const unknown = ids?.find((id) => !this.#spawned.has(id));
        if (unknown !== undefined) return this.#refuseUnknown(unknown);
        const wanted = [...this.#spawned.values()].filter(({ id }) => !ids || ids.includes(id));
        const ended = await scope.guard(Promise.all(wanted.map((one) => one.ended)));
        if (ended instanceof ScopeStop) return toStopped(ended);
        return toSuccess(JSON.stringify(wanted.map(toReport)));
      },
    });
  }

  #refuseUnknown(id: string): NodeResult {
    const known = [...this.#spawned.keys()].join(", ") || "none yet";
    return refuse(`There is no agent "${id}". Spawned are: ${known}.`);
  }

  #spawn(purpose: string, context: string, name: string | undefined): SpawnedAgent {
    const number = this.#spawned.size + 1;
    const worker = this.stage.workers.find((one) => one.name === name);
    const stage = worker?.planNode ?? toBackground(this.stage.lead);
    const task = context === "" ? purpose : `${purpose}\n\n${context}`;
    const spawned: SpawnedAgent = {
      id: toSpawnedAgentId(this.#place.path, number),
      agent: worker?.name ?? this.stage.lead.agent.name,
      purpose,
      status: "waiting",
      result: null,
      ended: Promise.resolve(),
    };
    spawned.ended = this.#work(spawned, stage, task, toSpawnSuffix(number));
    this.#spawned.set(spawned.id, spawned);
    return spawned;
  }

  async #work(spawned: SpawnedAgent, stage: NamedPlanNode, task: string, mark: string): Promise<void> {
    const most = this.stage.max_concurrent ?? swarmDefaults.max_concurrent;
    if (this.#running >= most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    spawned.status = "running";
    const stop = this.#place.scope.stop ?? this.#refusal;
    spawned.result = stop
      ? toStopped(stop)
      : await runNamed(this.engine, stage, { ...this.#place, pathSuffix: mark }, task);
    spawned.status = spawned.result.status === "SUCCESS" ? "done" : "failed";
    this.#running--;
    this.#waiting.shift()?.();
  }
}

/** A wrong wish of the model, as a tool error. */
const refuse = (message: string): NodeResult => toFailure({ code: "tool", message });

const toListed = ({ id, agent, purpose, status }: SpawnedAgent) => ({ id, agent, purpose, status });

function toReport(spawned: SpawnedAgent) {
  const { result, ...rest } = { ...toListed(spawned), result: spawned.result };
  if (!result) return { ...rest, note: "It has not ended yet. Call await_agents to wait for it." };
  if (result.status === "SUCCESS") return { ...rest, result: result.output };
  return {
    ...rest,
    error: result.error?.message ?? "It failed.",
    ...(result.output !== "" && { partial: result.output }),
  };
}

/** The lead once more, as a background agent: its model and tools, without the means to spawn. */
const toBackground = ({ agent }: AgentPlanNode): AgentPlanNode => ({
  type: "agent",
  agent: {
    ...agent,
    instructions: "You work in the background for another agent. Do what you are asked, and answer with the result.",
  },
});
