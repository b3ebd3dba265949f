import { countUnread } from "@/lib/server/comments/inbox";
import { route } from "@/lib/server/http/route";

export const GET = route(async (viewer) => ({ unread: await countUnread(viewer) }));
