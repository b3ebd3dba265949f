import { route } from "@/lib/server/http/route";
import { listTemplates } from "@/lib/templates/files";

/** The example flows, with their texts. */
export const GET = route(() => Response.json({ templates: listTemplates() }));
