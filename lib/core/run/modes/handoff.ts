import { z } from "zod";
import { toTransferNames } from "../../flow/engine-tools";
import { swarmDefaults } from "../../kinds/swarm";
import type { NodeResult } from "../events/event-recorder";
import type { Message } from "../events/messages";
import { addUsage, noUsage } from "../events/usage";
import { defineEngineTool, type EngineTool, requiresApproval } from "../loop/agent-tools";
import { type AgentResult, runAgent } from "../loop/run-agent";
import type { HandoffPlanNode, SwarmMember } from "../plan/plan-node";
import {
  childPath,
  type Engine,
  type RunPosition,
  recordNode,
  toFailure,
  toParentOutcome,
  toSuccess,
} from "../scope/engine";
import { runNamed } from "./registry";

const reasonSchema = z.strictObject({ reason: z.string().optional().describe("Why, in one sentence") });

/** Whom the member at work wants to hand over to. */
interface Handoff {
  to: string;
  reason: string;
}

/**
 * One member at a time: it answers, or hands the conversation over to one of its targets, which goes on with everything
 * that was said. Handoff number `max_handoffs` + 1 is a failure that keeps the work so far.
 */
export async function runHandoff(
  engine: Engine,
  stage: HandoffPlanNode,
  place: RunPosition,
  input: string,
): Promise<NodeResult> {
  const most = stage.max_handoffs ?? swarmDefaults.max_handoffs;
  const visits = new Map<string, number>();
  let [usage, simulated, kept] = [noUsage, false, ""];
  let conversation: readonly Message[] | undefined;
  let current = stage.start;
  for (let handoffs = 0; ; handoffs++) {
    const visit = (visits.get(current) ?? 0) + 1;
    visits.set(current, visit);
    const at = { ...place, pathSuffix: visit > 1 ? `#${visit}` : place.pathSuffix };
    const { result, handoff } = await runMember(engine, stage, at, { name: current, input, conversation });
    usage = addUsage(usage, result.usage);
    simulated ||= result.simulated;
    kept = result.output === "" ? kept : result.output;
    if (result.status !== "SUCCESS") return { ...toParentOutcome(place, result), output: kept, usage, simulated };
    if (!handoff) {
      const { output, value } = result;
      return { status: "SUCCESS", output, usage, simulated, ...(value !== undefined && { value }) };
    }
    if (handoffs >= most) {
      const message = `"${current}" wanted to hand over to "${handoff.to}", but ${most} handoffs are the limit here. Raise max_handoffs, or say more clearly who answers.`;
      return { ...toFailure({ code: "limit", message }), output: kept, usage, simulated };
    }
    await recordHandoff(engine, place, { ...handoff, from: current, number: handoffs + 1 });
    conversation = toConversation(result, current, handoff);
    current = handoff.to;
  }
}

interface Visit {
  name: string;
  input: string;
  conversation: readonly Message[] | undefined;
}

async function runMember(
  engine: Engine,
  stage: HandoffPlanNode,
  place: RunPosition,
  { name, input, conversation }: Visit,
): Promise<{ result: AgentResult; handoff: Handoff | null }> {
  const member = stage.members.get(name);
  if (!member) throw new Error(`the handoff swarm has no member "${name}"`);
  const targets = stage.targets.get(name) ?? [];
  if (member.planNode.type !== "agent") {
    const text = conversation ? toText(conversation) : input;
    const said = await runNamed(engine, member.planNode, place, text);
    const before: readonly Message[] = conversation ?? [...place.history, { role: "user", content: input }];
    const after: Message[] = [...before, { role: "assistant", content: said.output }];
    return { result: { ...said, conversation: after }, handoff: findByText(said, targets) };
  }
  const wanted: { handoff: Handoff | null } = { handoff: null };
  const innerTools = stage.byTextOnly ? [] : toTransfers(stage.members, targets, wanted);
  const { agent } = member.planNode;
  const transfers = toTransferNames(targets);
  // A text cannot wait for a person: where the transfer requires approval, only the tool hands over.
  const byText = targets.filter((to) => !requiresApproval(engine, agent, transfers.get(to) ?? ""));
  const result = await runAgent(engine, place, {
    planNode: member.planNode,
    path: childPath(place, name),
    input,
    conversation,
    engineTools: innerTools,
    hasHandedOver: () => wanted.handoff !== null,
  });
  if (result.status === "SUCCESS") engine.outputs.set(name, result.value ?? result.output);
  return { result, handoff: wanted.handoff ?? findByText(result, byText) };
}

/** The tools by which a member hands over. The first call of a turn counts. */
function toTransfers(
  members: ReadonlyMap<string, SwarmMember>,
  targets: readonly string[],
  wanted: { handoff: Handoff | null },
): EngineTool[] {
  const names = toTransferNames(targets);
  return targets.map((to) => {
    const description = members.get(to)?.description ?? "";
    return defineEngineTool({
      name: names.get(to) ?? "",
      description: `Hands the conversation over to ${to}, who goes on with it.${description === "" ? "" : ` ${description}`}`,
      input: reasonSchema,
      perform: async ({ reason = "" }) => {
        if (wanted.handoff)
          return toFailure({ code: "tool", message: `The conversation goes to ${wanted.handoff.to} already.` });
        wanted.handoff = { to, reason };
        return toSuccess(`Handed over to ${to}.`);
      },
    });
  });
}

/** A handoff by an answer that is a target's name and nothing else. */
function findByText({ status, output }: NodeResult, targets: readonly string[]): Handoff | null {
  const to = output.trim();
  return status === "SUCCESS" && targets.includes(to) ? { to, reason: "" } : null;
}

function recordHandoff(
  engine: Engine,
  place: RunPosition,
  { from, to, reason, number }: Handoff & { from: string; number: number },
): Promise<NodeResult> {
  const path = `${place.path === "" ? "/" : place.path}#handoff-${number}`;
  const step = { parent: place.parent, path, kind: "handoff", name: `${from} → ${to}`, input: reason } as const;
  return recordNode(engine, step, async () => toSuccess(reason, { from, to }));
}

/** What the next member goes on with: everything that was said, and who handed over why. Bare names are left out. */
function toConversation({ conversation = [] }: AgentResult, from: string, { to, reason }: Handoff): Message[] {
  const last = conversation.at(-1);
  const isBareName = last?.role === "assistant" && !last.toolCalls?.length;
  const said = isBareName ? conversation.slice(0, -1) : conversation;
  const why = reason === "" ? "" : ` Reason: ${reason}`;
  return [...said, { role: "user", content: `(${from} handed this conversation over to you, ${to}.${why})` }];
}

/** A conversation as one text, for members that take a text. */
const toText = (conversation: readonly Message[]): string =>
  conversation
    .filter((message) => message.role !== "system" && message.content !== "")
    .map((message) =>
      message.role === "user"
        ? message.content
        : `${message.role === "tool" ? message.name : "answer"}: ${message.content}`,
    )
    .join("\n\n");
