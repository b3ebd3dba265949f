import "server-only";
import type { Flow } from "@/lib/core/flow/flow";
import { isModelReach, listReach } from "@/lib/core/kinds/flow-reach";
import { isAutomatic } from "@/lib/core/run/events/run-starter";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { isLiveFlowOf, type Viewer } from "../auth/viewer";
import { readFlowText } from "../cpu-worker/read-flow-text";
import { getDb } from "../db";
import { toolPort } from "../tools/registry";
import { listApprovalTools } from "../tools/tool-rules";
import { toMissingFlowError } from "./queries";

interface ConfirmedFlow {
  teamId: string;
  /** What was confirmed, a line each; null: the flow was made here. */
  reach: string | null;
}

/**
 * Refuses a run of a flow from elsewhere that reaches what nobody has confirmed; a simulated run asks no models. Throws
 * AppError `conflict`.
 */
export function assertConfirmed(
  { teamId, reach: confirmed }: ConfirmedFlow,
  flow: Flow,
  { simulate }: { simulate: boolean },
): void {
  if (confirmed === null) return;
  const known = new Set(confirmed.split("\n"));
  const reach = reachIn(teamId, flow).filter((line) => !(simulate && isModelReach(line)));
  // Who allowed a tool without approvals allowed it with them.
  if (reach.every((line) => known.has(line) || known.has(`${line} without approval`))) return;
  throw new AppError(
    "conflict",
    "This flow comes from elsewhere, and nobody has confirmed yet what it reaches. Run it in its editor: that asks first.",
    { reach },
  );
}

/** What a flow reaches under the rules of a team. */
function reachIn(teamId: string, flow: Flow): string[] {
  const asking = listApprovalTools(teamId);
  return listReach(flow, (tool) => toolPort.find(tool)?.acts === true && !asking.has(tool));
}

/**
 * Makes a flow of the team one that is asked about, before text from elsewhere is saved into it: what its newest version reaches
 * counts as confirmed. Throws AppError `not_found`.
 */
export async function expectImport(viewer: Viewer, flowId: string): Promise<void> {
  const db = await getDb();
  const where = { id: flowId, ...isLiveFlowOf(viewer, "flows:write") };
  const flow = await db.flow.findFirst({ where, select: { teamId: true, reach: true, revisionId: true } });
  if (!flow) throw await toMissingFlowError(viewer, flowId);
  if (flow.reach !== null) return;
  const revision = await db.revision.findFirst({ where: { id: flow.revisionId ?? "" }, select: { source: true } });
  const { teamId } = flow;
  const reach =
    revision === null
      ? []
      : reachIn(teamId, (await readFlowText(revision.source, {}, { teamId, userId: viewer.id })).flow);
  await db.flow.updateMany({ where: { ...where, reach: null }, data: { reach: reach.join("\n") } });
}

/**
 * Confirms what a flow from elsewhere reaches, as a refused run named it, beside what was confirmed before. Throws AppError:
 * `not_found`, `forbidden` for programs.
 */
export async function confirmReach(viewer: Viewer, flowId: string, shown: readonly string[]): Promise<void> {
  if (isAutomatic(viewer.id)) throw new AppError("forbidden", "A member has to confirm what this flow reaches.");
  const db = await getDb();
  const where = { id: flowId, ...isLiveFlowOf(viewer, "runs:write") };
  const flow = await db.flow.findFirst({ where, select: { teamId: true, name: true, reach: true } });
  if (!flow) throw await toMissingFlowError(viewer, flowId);
  const reach = [...new Set([...(flow.reach ?? "").split("\n").filter(Boolean), ...shown])].sort();
  await db.$transaction(async (tx) => {
    await tx.flow.updateMany({ where: { ...where, reach: { not: null } }, data: { reach: reach.join("\n") } });
    const object = { type: "flow", id: flowId, name: flow.name } as const;
    await recordAudit(tx, viewer, {
      teamId: flow.teamId,
      action: "flow.confirmed",
      object,
      detail: { reach: [...shown] },
    });
  });
}
