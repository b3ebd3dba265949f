import { listPersonalKeys } from "@/lib/server/connections/personal-keys";
import { route } from "@/lib/server/http/route";

export const GET = route(async (viewer) => ({ keys: await listPersonalKeys(viewer) }));
