import { z } from "zod";
import { swarmDefaults } from "../../kinds/swarm";
import type { NodeResult } from "../events/event-recorder";
import {
  readSpawnedAgentNumber,
  readSpawnedId,
  toSpawnedAgentId,
  toSpawnedTask,
  toSpawnSuffix,
} from "../events/spawned-agent-id";
import { defineEngineTool, type EngineTool } from "../loop/engine-tool";
import { runAgent } from "../loop/run-agent";
import type { NamedPlanNode, PlanNodeOf } from "../plan/plan-node";
import { ScopeStop } from "../scope/cancel-scope";
import type { Engine, NodeRun, RunPosition } from "../scope/engine";
import { ExpenseTotal, toFailure, toStopped, toSuccess } from "../scope/node-result";

/** A background agent. */
interface SpawnedAgent {
  id: string;
  agent: string;
  purpose: string;
  status: "waiting" | "running" | "done" | "failed";
  result: NodeResult | null;
  ended: Promise<void>;
}

/**
 * The lead spawns agents that run in the background, at most `max_concurrent` at a time, while it continues. They cannot
 * spawn, and may outlive its answer: the swarm ends when all have ended. A failed one is a result that the lead can read.
 * When the lead itself fails, running agents finish, waiting ones do not start, and the output lists what each produced.
 */
export async function runOrchestrate(run: NodeRun<PlanNodeOf<"orchestrate">>): Promise<NodeResult> {
  const { position } = run;
  const { lead } = run.planNode;
  const background = new SpawnedAgents(run);
  const result = await runAgent({ ...run, planNode: lead, engineTools: background.listTools() });
  if (result.status !== "SUCCESS") background.refuseStarts(`The lead "${lead.name}" failed before this agent started.`);
  const agents = await background.waitForEnd();
  const total = new ExpenseTotal();
  for (const expense of [result, ...agents.flatMap((agent) => agent.result ?? [])]) total.add(expense);
  const { conversation: _, metadata: __, ...leadResult } = result;
  const metadata = { spawned: agents.length };
  if (!position.scope.stop && result.status === "SUCCESS") return { ...leadResult, ...total, metadata };
  const output = [result.output, ...agents.flatMap(describeWork)].filter((text) => text !== "").join("\n\n");
  return { ...leadResult, ...(position.scope.stop && toStopped(position.scope.stop)), ...total, output, metadata };
}

/** What a spawned agent produced, under its id, for a swarm whose lead has no answer. */
function describeWork({ id, agent, purpose, status, result }: SpawnedAgent): string[] {
  return result && result.output !== "" ? [`${id} (${agent}, ${status}): ${purpose}\n${result.output}`] : [];
}

/** The background agents of one lead. */
class SpawnedAgents {
  readonly #agents = new Map<string, SpawnedAgent>();
  readonly #queue: (() => void)[] = [];
  readonly #engine: Engine;
  readonly #swarm: PlanNodeOf<"orchestrate">;
  readonly #position: RunPosition;
  #running = 0;
  #lastNumber = 0;
  /** Why no further agent starts. */
  #refusal: ScopeStop | null = null;

  constructor({ engine, planNode, position }: NodeRun<PlanNodeOf<"orchestrate">>) {
    this.#engine = engine;
    this.#swarm = planNode;
    this.#position = { ...position, scope: position.scope.open(), history: [] };
  }

  /** Waiting agents end as cancelled. */
  refuseStarts(message: string): void {
    this.#refusal = new ScopeStop("CANCELLED", { code: "cancelled", message });
  }

  /** Resolves with all agents once every one has ended. */
  async waitForEnd(): Promise<readonly SpawnedAgent[]> {
    const agents = [...this.#agents.values()];
    await Promise.all(agents.map(({ ended }) => ended));
    this.#position.scope.close();
    return agents;
  }

  /** The tools of the lead. */
  listTools(): EngineTool[] {
    return [
      this.#defineSpawnTool(),
      defineEngineTool({
        name: "list_agents",
        description: "Lists the agents that were spawned, with their status.",
        isPolling: true,
        input: z.strictObject({}),
        perform: async () => toSuccess(JSON.stringify([...this.#agents.values()].map(toListed))),
      }),
      defineEngineTool({
        name: "get_agent_result",
        description: "Gives the result of a spawned agent, if it has ended.",
        isPolling: true,
        input: z.strictObject({ id: z.string() }),
        perform: async ({ id }) => {
          const agent = this.#agents.get(id);
          return agent ? toSuccess(JSON.stringify(toReport(agent))) : this.#refuseUnknown(id);
        },
      }),
      defineEngineTool({
        name: "await_agents",
        description: "Waits until the named agents (or all of them) have ended, and gives their results.",
        input: z.strictObject({ ids: z.array(z.string()).optional() }),
        perform: async ({ ids }, { scope }) => {
          const unknown = ids?.find((id) => !this.#agents.has(id));
          if (unknown !== undefined) return this.#refuseUnknown(unknown);
          const agents = [...this.#agents.values()].filter(({ id }) => !ids || ids.includes(id));
          const result = await scope.guard(Promise.all(agents.map(({ ended }) => ended)));
          if (result instanceof ScopeStop) return toStopped(result);
          return toSuccess(JSON.stringify(agents.map(toReport)));
        },
      }),
    ];
  }

  #defineSpawnTool(): EngineTool {
    const { workers, max_agents: limit = swarmDefaults.max_agents } = this.#swarm;
    const base = z.strictObject({
      purpose: z.string().min(1).describe("What the agent shall do"),
      context: z.string().optional().describe("Everything that it has to know: it sees nothing else"),
    });
    const worker = z.enum(workers.map(({ name }) => name)).optional();
    return defineEngineTool<{ purpose: string; context?: string | undefined; agent?: string | undefined }>({
      name: "spawn_agent",
      description: "Starts an agent that works in the background. Returns its id at once, not its result.",
      isRecalled: true,
      input: workers.length === 0 ? base : base.extend({ agent: worker.describe("Who does it") }),
      perform: async ({ purpose, context = "", agent }, _position, _engine, recorded) => {
        if (this.#agents.size >= limit)
          return refuse(`There are ${limit} agents already, the most that this swarm may have.`);
        const number = (recorded && readSpawnedNumber(recorded)) ?? this.#lastNumber + 1;
        const { id, agent: name, status } = this.#spawn(number, { purpose, context, name: agent });
        return toSuccess(JSON.stringify({ id, agent: name, status }));
      },
    });
  }

  #refuseUnknown(id: string): NodeResult {
    const ids = [...this.#agents.keys()].join(", ") || "none yet";
    return refuse(`There is no agent "${id}". Spawned are: ${ids}.`);
  }

  #spawn(
    number: number,
    { purpose, context, name }: { purpose: string; context: string; name: string | undefined },
  ): SpawnedAgent {
    const { lead, workers } = this.#swarm;
    this.#lastNumber = Math.max(this.#lastNumber, number);
    const worker = workers.find((candidate) => candidate.name === name);
    const task = toSpawnedTask({ purpose, context });
    const agent: SpawnedAgent = {
      id: toSpawnedAgentId(this.#position.path, number),
      agent: worker?.name ?? lead.name,
      purpose,
      status: "waiting",
      result: null,
      ended: Promise.resolve(),
    };
    agent.ended = this.#run(agent, worker?.planNode ?? toBackground(lead), task, toSpawnSuffix(number));
    this.#agents.set(agent.id, agent);
    return agent;
  }

  async #run(agent: SpawnedAgent, planNode: NamedPlanNode, task: string, pathSuffix: string): Promise<void> {
    const limit = this.#swarm.max_concurrent ?? swarmDefaults.max_concurrent;
    if (this.#running >= limit) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#running++;
    agent.status = "running";
    const position = { ...this.#position, pathSuffix };
    agent.result = this.#refusal
      ? toStopped(position.scope.stop ?? this.#refusal)
      : await this.#engine.runNode(planNode, position, task);
    agent.status = agent.result.status === "SUCCESS" ? "done" : "failed";
    this.#running--;
    this.#queue.shift()?.();
  }
}

/** The number of the agent that a call of `spawn_agent` with this result started. */
function readSpawnedNumber({ output }: NodeResult): number | null {
  const id = readSpawnedId(output);
  return id === null ? null : readSpawnedAgentNumber(id);
}

/** An invalid request of the model, as a tool error. */
const refuse = (message: string): NodeResult => toFailure({ code: "tool", message });

const toListed = ({ id, agent, purpose, status }: SpawnedAgent) => ({ id, agent, purpose, status });

function toReport(agent: SpawnedAgent) {
  const { result } = agent;
  const listed = toListed(agent);
  if (!result) return { ...listed, note: "It has not ended yet. Call await_agents to wait for it." };
  if (result.status === "SUCCESS") return { ...listed, result: result.output };
  return {
    ...listed,
    error: result.error?.message ?? "It failed.",
    ...(result.output !== "" && { partial: result.output }),
  };
}

/** The lead as a background agent: its model and tools, without the tools to spawn. */
const toBackground = ({ name, agent }: PlanNodeOf<"agent">): PlanNodeOf<"agent"> => ({
  type: "agent",
  name,
  agent: {
    ...agent,
    instructions: "You work in the background for another agent. Do what you are asked, and answer with the result.",
  },
});
