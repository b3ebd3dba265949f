import { z } from "zod";
import { toTransferNames } from "../../kinds/engine-tools";
import { swarmDefaults } from "../../kinds/swarm";
import type { NodeResult } from "../events/event-recorder";
import type { Message } from "../events/messages";
import { requiresApproval } from "../loop/agent-tools";
import { defineEngineTool, type EngineTool } from "../loop/engine-tool";
import { type AgentResult, runAgent } from "../loop/run-agent";
import type { PlanNodeOf, SwarmMember } from "../plan/plan-node";
import { childPath, type NodeRun } from "../scope/engine";
import { ExpenseTotal, toFailure, toParentOutcome, toSuccess } from "../scope/node-result";
import { recordNode } from "../scope/record-node";

const reasonSchema = z.strictObject({ reason: z.string().optional().describe("Why, in one sentence") });

/** The member that gets the conversation next. */
interface Handoff {
  target: string;
  reason: string;
}

/** One turn of a member. */
interface Visit extends NodeRun<PlanNodeOf<"handoff">> {
  name: string;
  /** Missing at the first visit. */
  conversation: readonly Message[] | undefined;
}

/**
 * Runs one member at a time: it answers, or hands the conversation over to one of its targets, which continues it.
 * Handoff number `max_handoffs` + 1 is a failure that keeps the last output.
 */
export async function runHandoff(run: NodeRun<PlanNodeOf<"handoff">>): Promise<NodeResult> {
  const { engine, planNode: swarm, position } = run;
  const { max_handoffs: limit = swarmDefaults.max_handoffs } = swarm;
  const visits = new Map<string, number>();
  const total = new ExpenseTotal();
  let lastOutput = "";
  let conversation: readonly Message[] | undefined;
  let name = swarm.start;
  for (let number = 1; ; number++) {
    const visit = (visits.get(name) ?? 0) + 1;
    visits.set(name, visit);
    const pathSuffix = visit > 1 ? toVisitSuffix({ ...run, name }, visit) : position.pathSuffix;
    const visitPosition = { ...position, pathSuffix };
    const { result, handoff } = await runMember({ ...run, position: visitPosition, name, conversation });
    total.add(result);
    if (result.output !== "") lastOutput = result.output;
    if (result.status !== "SUCCESS") return { ...toParentOutcome(position, result), output: lastOutput, ...total };
    if (!handoff) {
      const { output, value } = result;
      return { status: "SUCCESS", output, ...total, ...(value !== undefined && { value }) };
    }
    const { target, reason } = handoff;
    if (number > limit) {
      const message = `"${name}" wanted to hand over to "${target}", but ${limit} handoffs are the limit here. Raise max_handoffs, or define more clearly which member answers.`;
      return { ...toFailure({ code: "limit", message }), output: lastOutput, ...total };
    }
    const path = `${position.path === "" ? "/" : position.path}#handoff-${number}`;
    const title = `${name} → ${target}`;
    const start = { parent: position.parent, path, kind: "handoff", name: title, input: reason } as const;
    const metadata = { from: name, to: target };
    await recordNode(engine, start, () => toSuccess(reason, metadata));
    conversation = toConversation(result, name, handoff);
    name = target;
  }
}

/** Of a loop the number alone would be the path of a round: runs of earlier versions, whose loop has it, keep it. */
function toVisitSuffix(
  { engine, planNode: swarm, position, name }: NodeRun<PlanNodeOf<"handoff">> & { name: string },
  visit: number,
): string {
  const suffix = `#${visit}`;
  if (swarm.members.get(name)?.planNode.type !== "loop") return suffix;
  const recorded = engine.options.journal?.find(childPath({ ...position, pathSuffix: suffix }, name));
  return recorded?.kind === "loop" ? suffix : `#visit-${visit}`;
}

interface VisitResult {
  result: AgentResult;
  handoff: Handoff | null;
}

async function runMember(visit: Visit): Promise<VisitResult> {
  const { engine, planNode: swarm, position, name, input, conversation } = visit;
  const member = swarm.members.get(name);
  if (!member) throw new Error(`the handoff swarm has no member "${name}"`);
  if ("agent" in member.planNode) return runAgentMember(visit, member.planNode);
  const text = conversation ? toConversationText(conversation) : input;
  const result = await engine.runNode(member.planNode, position, text);
  const messages: readonly Message[] = conversation ?? [...position.history, { role: "user", content: input }];
  return {
    result: { ...result, conversation: [...messages, { role: "assistant", content: result.output }] },
    handoff: findHandoffByText(result, swarm.targets.get(name) ?? []),
  };
}

async function runAgentMember(visit: Visit, planNode: PlanNodeOf<"agent">): Promise<VisitResult> {
  const { engine, planNode: swarm, name } = visit;
  const targets = swarm.targets.get(name) ?? [];
  const transfer: { handoff: Handoff | null } = { handoff: null };
  const toolNames = toTransferNames(targets);
  // A text cannot be approved: where the transfer requires approval, only the tool hands over.
  const targetsByText = targets.filter(
    (target) => !requiresApproval(engine, planNode.agent, toolNames.get(target) ?? ""),
  );
  const result = await runAgent({
    ...visit,
    planNode,
    engineTools: swarm.byTextOnly ? [] : toTransferTools(swarm.members, toolNames, transfer),
    hasHandedOver: () => transfer.handoff !== null,
  });
  return { result, handoff: transfer.handoff ?? findHandoffByText(result, targetsByText) };
}

/** The tools by which a member hands over. The first call of a turn counts. */
function toTransferTools(
  members: ReadonlyMap<string, SwarmMember>,
  toolNames: ReadonlyMap<string, string>,
  transfer: { handoff: Handoff | null },
): EngineTool[] {
  return [...toolNames].map(([target, name]) => {
    const description = members.get(target)?.description ?? "";
    return defineEngineTool({
      name,
      description: `Hands the conversation over to ${target}, who goes on with it.${description === "" ? "" : ` ${description}`}`,
      input: reasonSchema,
      isRecalled: true,
      perform: async ({ reason = "" }) => {
        if (transfer.handoff)
          return toFailure({ code: "tool", message: `The conversation goes to ${transfer.handoff.target} already.` });
        transfer.handoff = { target, reason };
        return toSuccess(`Handed over to ${target}.`);
      },
    });
  });
}

/** A handoff by an answer that is only a target's name. */
function findHandoffByText({ status, output }: NodeResult, targets: readonly string[]): Handoff | null {
  const target = output.trim();
  return status === "SUCCESS" && targets.includes(target) ? { target, reason: "" } : null;
}

/** The conversation for the next member: everything so far, and the reason of the handoff. Bare names are left out. */
function toConversation({ conversation = [] }: AgentResult, source: string, { target, reason }: Handoff): Message[] {
  const last = conversation.at(-1);
  const isBareName = last?.role === "assistant" && !last.toolCalls?.length;
  const messages = isBareName ? conversation.slice(0, -1) : conversation;
  const explanation = reason === "" ? "" : ` Reason: ${reason}`;
  const content = `(${source} handed this conversation over to you, ${target}.${explanation})`;
  return [...messages, { role: "user", content }];
}

/** A conversation as one text, for members that take a text. */
const toConversationText = (conversation: readonly Message[]): string =>
  conversation
    .filter((message) => message.role !== "system" && message.content !== "")
    .map((message) =>
      message.role === "user"
        ? message.content
        : `${message.role === "tool" ? message.name : "answer"}: ${message.content}`,
    )
    .join("\n\n");
