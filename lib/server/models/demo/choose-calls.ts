import "server-only";
import { hashText } from "@/lib/core/flow/hash-text";
import type { ToolCall } from "@/lib/core/run/events/messages";
import type { ModelRequest, ToolSpec } from "@/lib/core/run/ports/model";
import { isObject, textsIn } from "../json";
import { countShared, findSum, rankByWords, type Situation, wordsOf } from "./reading";
import { namedIn, sampleSchema } from "./sample";
import { readSwitches } from "./switches";

const maxCalls = 2;

type DemoCall = Omit<ToolCall, "id">;

/**
 * The tools that a simulated agent calls next; none once they have answered. Each worker that can be delegated to is
 * asked once, each that can be spawned is spawned and waited for; a router picks the lane that shares most words with the
 * message; one hand-off is made in a conversation; of the other tools, up to two that share most words with the task.
 */
export function chooseCalls(request: ModelRequest, situation: Situation): ToolCall[] {
  if (situation.results.length > 0 && !mayAwait(request, situation)) return [];
  const seed = hashText(`${request.agent}\n${situation.input}`).toString(36);
  return listCalls(request, situation).map((call, index) => ({ id: `demo_${seed}_${index + 1}`, ...call }));
}

function listCalls(request: ModelRequest, situation: Situation): DemoCall[] {
  const { prompt, topic } = situation;
  const { call } = readSwitches(prompt);
  if (call) return [call];
  const fill = (tool: ToolSpec, turn = 0): DemoCall => ({
    name: tool.name,
    arguments: JSON.stringify(sampleSchema(tool.parameters, { prompt, topic, turn, fillAll: false })),
  });

  const spawn = request.tools.find((tool) => tool.name === "spawn_agent");
  if (spawn)
    return mayAwait(request, situation) ? [{ name: "await_agents", arguments: "{}" }] : spawnAll(spawn, situation);
  const router = request.tools.find((tool) => tool.name === "choose_lane");
  if (router) return [{ name: router.name, arguments: JSON.stringify({ lane: pickLane(router, situation) }) }];

  const workers = request.tools.filter((tool) => tool.name.startsWith("delegate_to_"));
  if (workers.length > 0) return workers.map((tool) => fill(tool));

  const ranked = rankByWords(request.tools, toText, prompt);
  const handoff = ranked.find(isHandoff);
  const handedOff = request.messages.some(
    (message) => message.role === "assistant" && message.toolCalls?.some((toolCall) => isHandoff(toolCall)),
  );
  if (handoff && !handedOff) return [fill(handoff)];

  const otherTools = ranked.filter((tool) => !isHandoff(tool));
  const [firstTool = otherTools[0], secondTool] = otherTools.filter((tool) => canFill(tool, prompt));
  if (!firstTool) return [];
  if (secondTool && isAskedFor(secondTool, prompt)) return [fill(firstTool), fill(secondTool)];
  return Array.from({ length: Math.min(countNamed(firstTool, prompt), maxCalls) }, (_, turn) => fill(firstTool, turn));
}

/** After spawning, and before anything else, it waits for those it spawned. */
const mayAwait = (request: ModelRequest, { results }: Situation): boolean =>
  request.tools.some((tool) => tool.name === "await_agents") &&
  results.length > 0 &&
  results.every((result) => result.name === "spawn_agent");

const subtopics = ["what works", "what it takes"];

/** Each worker once; where there are none, two agents for two parts of the topic. */
function spawnAll(spawn: ToolSpec, { topic }: Situation): DemoCall[] {
  const agents = enumOf(spawn, "agent");
  const wishes =
    agents.length > 0
      ? agents.map((agent) => ({ purpose: `Do your part: ${topic}`, agent }))
      : subtopics.map((subtopic) => ({ purpose: `Find out ${subtopic}: ${topic}` }));
  return wishes.map((wish) => ({ name: spawn.name, arguments: JSON.stringify(wish) }));
}

/** The lane whose line in the instructions shares most words with the message. */
function pickLane(router: ToolSpec, { instructions, input }: Situation): string {
  const lines = instructions.split("\n");
  const lineOf = (lane: string): string => lines.find((line) => line.startsWith(`- ${lane}`)) ?? lane;
  return rankByWords(enumOf(router, "lane"), lineOf, input)[0] ?? "";
}

function enumOf({ parameters: { properties } }: ToolSpec, name: string): string[] {
  const property = isObject(properties) ? properties[name] : undefined;
  return isObject(property) ? textsIn(property.enum) : [];
}

const isHandoff = (tool: { name: string }): boolean => tool.name.startsWith("transfer_to_");

const toText = (tool: ToolSpec): string => `${tool.name.replaceAll("_", " ")} ${tool.description}`;

const isAskedFor = (tool: ToolSpec, prompt: string): boolean => countShared(wordsOf(toText(tool)), wordsOf(prompt)) > 0;

const propertiesOf = (tool: ToolSpec) =>
  Object.entries(isObject(tool.parameters.properties) ? tool.parameters.properties : {});

/** A tool that works out sums needs one in the task. */
const canFill = (tool: ToolSpec, prompt: string): boolean =>
  findSum(prompt) !== null ||
  !propertiesOf(tool).some(([name]) => /expression|formula|equation|calculation/i.test(name));

/** How many of the values that the tool gives as examples does the task name? At least one call is made. */
function countNamed(tool: ToolSpec, prompt: string): number {
  const counts = propertiesOf(tool).map(([, property]) =>
    isObject(property) ? namedIn(prompt, textsIn(property.examples)).length : 0,
  );
  return Math.max(1, ...counts);
}
