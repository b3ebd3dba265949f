import { teamRoute } from "@/lib/server/http/route";
import { getQueueStatus } from "@/lib/server/runs/queue/read-queue";

export const GET = teamRoute((viewer) => getQueueStatus(viewer));
