import { parseFlow } from "../../dsl/parse";
import { defaultSeparator, type Flow } from "../../flow/flow";
import type { Agent } from "../../kinds/agent";
import { createAgent } from "../../kinds/agent-schema";
import type { Group } from "../../kinds/group";
import type { Swarm } from "../../kinds/swarm";
import type { RunEvent, RunEventOf } from "../events/events";
import type { Message } from "../events/messages";
import type { ModelPort } from "../ports/model";
import type { RunContext } from "../ports/run-context";
import type { RunOptions } from "../ports/run-options";
import type { Tool } from "../ports/tool";
import { runFlow } from "../run-flow";
import { type Script, ScriptedModels } from "./scripted-model";
import { VirtualClock } from "./virtual-clock";

/** A flow in short: topologies as DSL text, agents by what differs from the default. */
export interface FlowSketch {
  flow: string;
  agents?: Record<string, Partial<Agent>>;
  groups?: Record<string, Partial<Omit<Group, "flow">> & { flow: string }>;
  swarms?: Record<string, Partial<Omit<Swarm, "flow">> & { flow: string }>;
  vars?: Record<string, string | number | boolean>;
  separator?: string;
}

const read = (text: string, as: "flow" | "group-parallel" | "group-serial" = "flow") =>
  parseFlow(text, { as }).expression ?? undefined;

/** Every name that no group or swarm has is an agent with a scripted model. */
export function makeFlow({ flow, agents = {}, groups = {}, swarms = {}, vars = {}, separator }: FlowSketch): Flow {
  const named = [flow, ...Object.values(groups).map((g) => g.flow), ...Object.values(swarms).map((s) => s.flow)]
    .flatMap((text) => text.split(/>>|[|()]/))
    .map((name) => name.trim())
    .filter((name) => name !== "" && !Object.hasOwn(groups, name) && !Object.hasOwn(swarms, name));
  const toAgent = (name: string): Agent => ({
    ...createAgent(name, { model: "scripted:m" }),
    ...(Object.hasOwn(agents, name) && agents[name]),
  });
  return {
    name: "Flow",
    vars: new Map(Object.entries(vars)),
    agents: new Map([...new Set([...named, ...Object.keys(agents)])].map((name) => [name, toAgent(name)])),
    groups: new Map(
      Object.entries(groups).map(([name, { mode = "parallel", flow: text, ...rest }]) => [
        name,
        { type: "group", name, mode, separator: defaultSeparator, ...rest, flow: read(text, `group-${mode}`) },
      ]),
    ),
    swarms: new Map(
      Object.entries(swarms).map(([name, { flow: text, ...rest }]) => [
        name,
        { type: "swarm", name, mode: "workflow", separator: defaultSeparator, ...rest, flow: read(text) },
      ]),
    ),
    controls: new Map(),
    limits: {},
    swarm: {
      type: "swarm",
      name: "Flow",
      mode: "workflow",
      flow: read(flow),
      separator: separator ?? defaultSeparator,
    },
  };
}

export interface ScriptedWorld {
  clock: VirtualClock;
  models: ScriptedModels;
  abort: AbortController;
  context: RunContext;
}

/** A world for one run: scripted models, the given tools, virtual time, no jitter. */
export function makeScriptedWorld(
  script: Script,
  tools: readonly Tool[] = [],
  change: Partial<RunContext> = {},
): ScriptedWorld {
  const clock = new VirtualClock();
  const models = new ScriptedModels(script, clock.sleep);
  const abort = new AbortController();
  const context: RunContext = {
    models,
    tools: { find: (name) => tools.find((tool) => tool.spec.name === name) ?? null },
    now: clock.now,
    sleep: clock.sleep,
    random: () => 0,
    signal: abort.signal,
    ...change,
  };
  return { clock, models, abort, context };
}

export interface FinishedRun extends ScriptedWorld {
  events: RunEvent[];
  last: RunEventOf<"run.finished">;
  started: RunEventOf<"node.started">[];
  finished: RunEventOf<"node.finished">[];
  /** How the node of that path ended. */
  end(path: string): RunEventOf<"node.finished">;
}

export interface ScriptedRunOptions {
  input?: string;
  script: Script;
  tools?: readonly Tool[];
  context?: Partial<RunContext>;
  messages?: readonly Message[] | undefined;
  options?: RunOptions;
  /** Puts something in front of the scripted models. */
  wrapModels?: (models: ScriptedModels, sleep: RunContext["sleep"]) => ModelPort;
  /** Called with every event while the run goes on. */
  onEvent?: (event: RunEvent, stage: ScriptedWorld) => void | Promise<void>;
}

/** Runs a flow to its end; whenever nothing moves, time does. */
export async function runScripted(text: FlowSketch | Flow, trial: ScriptedRunOptions): Promise<FinishedRun> {
  const stage = makeScriptedWorld(trial.script, trial.tools, trial.context);
  const flow = "swarm" in text ? text : makeFlow(text);
  const options = { messages: trial.messages, ...trial.options };
  if (trial.wrapModels) stage.context = { ...stage.context, models: trial.wrapModels(stage.models, stage.clock.sleep) };
  const events: RunEvent[] = [];
  let isOver = false;
  const consume = async (): Promise<void> => {
    for await (const event of runFlow(flow, trial.input ?? "Q", stage.context, options)) {
      events.push(event);
      await trial.onEvent?.(event, stage);
    }
    isOver = true;
  };
  const consuming = consume();
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!isOver && !stage.clock.advance()) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await consuming;
  return { ...stage, ...summarize(events) };
}

function summarize(events: RunEvent[]): Omit<FinishedRun, keyof ScriptedWorld> {
  const started = events.filter((event) => event.type === "node.started");
  const finished = events.filter((event) => event.type === "node.finished");
  const last = events.at(-1);
  if (last?.type !== "run.finished") throw new Error(`the last event is ${last?.type}`);
  const end = (path: string): RunEventOf<"node.finished"> => {
    const id = started.find((event) => event.path === path)?.id;
    const found = finished.find((event) => event.id === id);
    if (!found) throw new Error(`no node ${path} in ${started.map((event) => event.path).join(", ")}`);
    return found;
  };
  return { events, started, finished, last, end };
}
