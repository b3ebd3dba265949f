import { z } from "zod";
import { findJsonAs } from "../../flow/parse-json";
import { createAgent } from "../../kinds/agent-schema";
import type { NodeResult } from "../events/event-recorder";
import type { Message } from "../events/messages";
import { callModelWithFallback } from "../loop/call-model";
import { fillInstructions } from "../loop/instructions";
import type { PlanNodeOf } from "../plan/plan-node";
import type { ToolSpec } from "../ports/model";
import { type NodeRun, withParameters } from "../scope/engine";
import { ExpenseTotal, toFailure, toStopped, toSuccess } from "../scope/node-result";
import { recordNamedNode } from "../scope/record-node";

const toolName = "choose_lane";
const choiceSchema = z.object({ lane: z.string() });

/** How often the model may try to name a lane that exists. */
const mostAttempts = 2;

/** Lets a model choose one of the lanes, by a tool or by its name as the whole answer, and runs that lane on the input. */
export const runRouter = (run: NodeRun<PlanNodeOf<"router">>): Promise<NodeResult> =>
  recordNamedNode(run, async (position) => {
    const { engine, planNode, input } = run;
    const total = new ExpenseTotal();
    const choice = await chooseLane({ engine, planNode, position, input }, total);
    if (typeof choice !== "string") return { ...choice, ...total };
    const metadata = { lane: choice };
    const body = planNode.lanes.find(({ lane }) => lane === choice)?.body;
    if (!body) return { ...toSuccess(input, metadata), ...total };
    const result = await engine.runNode(body, position, input);
    total.add(result);
    return { ...result, ...total, metadata };
  });

/** The name of the lane, or how choosing it ended. */
async function chooseLane(
  { engine, planNode: router, position, input }: NodeRun<PlanNodeOf<"router">>,
  total: ExpenseTotal,
): Promise<string | NodeResult> {
  const { name, model } = router;
  const resolvedModel = model === undefined ? null : engine.context.models.find(model);
  if (!resolvedModel) {
    const message = `No provider has the model "${model ?? ""}" of the router "${name}". Set its model, e.g. "demo:router".`;
    return toFailure({ code: "not-found", message });
  }
  const agent = withParameters(engine, createAgent(name, { model }));
  const lanes = router.lanes.map(({ lane }) => lane);
  const tools = [toTool(lanes)];
  const instructions = fillInstructions(engine, { ...router, path: position.path }, input);
  if (typeof instructions !== "string") return toFailure(instructions);
  let messages: Message[] = [
    { role: "system", content: toInstructions(router, instructions) },
    { role: "user", content: input },
  ];
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const path = `${position.path}#llm-${attempt}`;
    const currentMessages = messages;
    const writeMessages = (): string => JSON.stringify(currentMessages);
    const call = { agent, resolvedModel, messages, writeMessages, tools, path };
    const turn = await callModelWithFallback(engine, position, call);
    total.add(turn);
    if (position.scope.stop) return toStopped(position.scope.stop);
    if (!turn.message) return { ...turn, output: "" };
    const choices = turn.message.toolCalls?.map((toolCall) => readChoice(toolCall.arguments)) ?? [
      turn.message.content.trim(),
    ];
    const choice = choices.find((lane) => lanes.includes(lane));
    if (choice !== undefined) return choice;
    const content = `There is no such lane. Answer with one of these names and nothing else: ${lanes.join(", ")}.`;
    messages = [...messages, { role: "assistant", content: choices.join(", ") }, { role: "user", content }];
  }
  const message = `The router "${name}" picked none of its lanes: ${lanes.join(", ")}. Describe under \`when\` more clearly what each is for.`;
  return toFailure({ code: "condition", message });
}

const readChoice = (text: string): string => findJsonAs(text, choiceSchema)?.lane ?? "";

const toInstructions = ({ lanes }: PlanNodeOf<"router">, instructions: string): string =>
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
