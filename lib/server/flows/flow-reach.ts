import "server-only";
import type { Flow } from "@/lib/core/flow/flow";
import { listReach } from "@/lib/core/kinds/flow-reach";
import { isAutomatic } from "@/lib/core/run/events/run-starter";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { isLiveFlowOf, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { toolPort } from "../tools/registry";
import { toMissingFlowError } from "./queries";

/**
 * Refuses a run of a flow from elsewhere that reaches what nobody has confirmed; `confirmed`: its column, null for a flow that was
 * made here. Throws AppError `conflict`.
 */
export function assertConfirmed(confirmed: string | null, flow: Flow): void {
  if (confirmed === null) return;
  const known = new Set(confirmed.split("\n"));
  const reach = listReach(flow, (tool) => toolPort.find(tool)?.acts === true);
  if (reach.every((line) => known.has(line))) return;
  throw new AppError(
    "conflict",
    "This flow comes from elsewhere, and nobody has confirmed yet what it reaches. Run it in its editor: that asks first.",
    { reach },
  );
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
