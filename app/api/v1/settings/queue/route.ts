import { route } from "@/lib/server/http/route";
import { getQueueStatus } from "@/lib/server/runs/queue/read-queue";

export const GET = route((viewer) => getQueueStatus(viewer));
