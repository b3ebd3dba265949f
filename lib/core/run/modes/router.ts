import { z } from "zod";
import { createAgent } from "../../kinds/agent";
import type { NodeResult } from "../events/event-recorder";
import type { Message } from "../events/messages";
import { addUsage, noUsage } from "../events/usage";
import { callModelWithFallback } from "../loop/call-model";
import { fillInstructions } from "../loop/instructions";
import type { RouterPlanNode } from "../plan/plan-node";
import type { ToolSpec } from "../ports/model";
import {
  childPath,
  type Engine,
  positionInside,
  type RunPosition,
  recordNode,
  toFailure,
  toStopped,
  toSuccess,
} from "../scope/engine";
import { runNode } from "./registry";

const toolName = "choose_lane";
const choiceSchema = z.object({ lane: z.string() });

/** How often the model is asked for a lane that exists. */
const mostQuestions = 2;

/** Lets a model pick one of the lanes, by a tool or by its name as the whole answer, and runs that lane on the input. */
export function runRouter(
  engine: Engine,
  stage: RouterPlanNode,
  place: RunPosition,
  input: string,
): Promise<NodeResult> {
  const { name } = stage;
  const path = childPath(place, name);
  return recordNode(engine, { parent: place.parent, path, kind: "router", name, input }, async (id) => {
    await engine.recorder.settled();
    const inner = positionInside(place, id, path);
    const picked = await pickLane(engine, stage, inner, input);
    if (picked.lane === undefined) return picked.result;
    const { usage, simulated } = picked.result;
    const metadata = { lane: picked.lane };
    const body = stage.lanes.find(({ lane }) => lane === picked.lane)?.body;
    if (!body) return { ...toSuccess(input, metadata), usage, simulated };
    const result = await runNode(engine, body, inner, input);
    return { ...result, usage: addUsage(usage, result.usage), simulated: simulated || result.simulated, metadata };
  });
}

/** The lane, or how asking for it ended. */
async function pickLane(
  engine: Engine,
  stage: RouterPlanNode,
  place: RunPosition,
  input: string,
): Promise<{ lane?: string; result: NodeResult }> {
  const { name, model } = stage;
  const found = model === undefined ? null : engine.context.models.find(model);
  if (!found) {
    const message = `Nobody offers the model "${model ?? ""}" of the router "${name}". Set its model, e.g. "demo:router".`;
    return { result: toFailure({ code: "not-found", message }) };
  }
  const agent = createAgent(name, { model });
  const lanes = stage.lanes.map(({ lane }) => lane);
  const instructions = fillInstructions(engine, stage, input);
  if (typeof instructions !== "string") return { result: toFailure(instructions) };
  let messages: Message[] = [
    { role: "system", content: toInstructions(stage, instructions) },
    { role: "user", content: input },
  ];
  let [usage, simulated] = [noUsage, false];
  for (let asked = 1; asked <= mostQuestions; asked++) {
    const path = `${place.path}#llm-${asked}`;
    const turn = await callModelWithFallback(engine, place, {
      agent,
      resolvedModel: found,
      messages,
      messagesJson: JSON.stringify(messages),
      tools: [toTool(lanes)],
      path,
    });
    usage = addUsage(usage, turn.usage);
    simulated ||= turn.simulated;
    if (place.scope.stop) return { result: { ...toStopped(place.scope.stop), usage, simulated } };
    if (!turn.message) return { result: { ...turn, output: "", usage, simulated } };
    const said = turn.message.toolCalls?.map((call) => readChoice(call.arguments)) ?? [turn.message.content.trim()];
    const lane = said.find((choice) => lanes.includes(choice));
    if (lane !== undefined) return { lane, result: { ...toSuccess(""), usage, simulated } };
    const content = `There is no such lane. Answer with one of these names and nothing else: ${lanes.join(", ")}.`;
    messages = [...messages, { role: "assistant", content: said.join(", ") }, { role: "user", content }];
  }
  const message = `The router "${name}" picked none of its lanes: ${lanes.join(", ")}. Say under \`when\` more clearly what each is for.`;
  return { result: { ...toFailure({ code: "condition", message }), usage, simulated } };
}

function readChoice(text: string): string {
  try {
    return choiceSchema.safeParse(JSON.parse(text)).data?.lane ?? "";
  } catch {
    return "";
  }
}

const toInstructions = ({ lanes }: RouterPlanNode, instructions: string): string =>
  [
    ...(instructions.trim() === "" ? [] : [instructions]),
    `Choose who handles the next message. Do not answer it. Call ${toolName}, or answer with one name and nothing else:`,
    ...lanes.map(({ lane, when }) => `- ${lane}${when === "" ? "" : `: ${when}`}`),
  ].join("\n");

const toTool = (lanes: readonly string[]): ToolSpec => ({
  name: toolName,
  description: "Chooses who handles the message.",
  parameters: {
    type: "object",
    properties: { lane: { type: "string", enum: lanes } },
    required: ["lane"],
    additionalProperties: false,
  },
});
