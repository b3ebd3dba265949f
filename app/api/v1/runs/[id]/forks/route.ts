import { route } from "@/lib/server/http/route";
import { listForks } from "@/lib/server/runs/read/list-forks";

export const GET = route<{ id: string }>(async (viewer, _, { id }) => ({ forks: await listForks(viewer, id) }));
