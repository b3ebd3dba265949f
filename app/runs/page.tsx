import type { Metadata } from "next";
import { headers } from "next/headers";
import { z } from "zod";
import { runStatusSchema } from "@/lib/core/run/events";
import { requireViewer } from "@/lib/server/auth/local";
import { listFlows } from "@/lib/server/flows/queries";
import { listRuns } from "@/lib/server/runs/queries";
import { RunList } from "../_run/run-list";

export const metadata: Metadata = { title: "Runs" };

/** What the address says; anything that cannot be read counts as not said. */
const searchSchema = z.object({
  status: z.optional(runStatusSchema).catch(undefined),
  flow: z.string().optional().catch(undefined),
  before: z
    .string()
    .regex(/^\d+_.+$/)
    .optional()
    .catch(undefined),
});

export default async function RunsPage({ searchParams }: PageProps<"/runs">) {
  const viewer = requireViewer(await headers());
  const { status, flow, before } = searchSchema.parse(await searchParams);
  const [{ runs, next }, flows] = await Promise.all([
    listRuns(viewer, { status, flowId: flow, before }),
    listFlows(viewer),
  ]);
  const choices = flows.map(({ id, name }) => ({ id, name }));
  return (
    <RunList
      runs={runs}
      next={next}
      flows={choices}
      status={status ?? ""}
      flow={flow ?? ""}
      isFirst={before === undefined}
    />
  );
}
