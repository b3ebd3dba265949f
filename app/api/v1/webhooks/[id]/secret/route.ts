import { route } from "@/lib/server/http/route";
import { renewWebhookSecret } from "@/lib/server/webhooks/commands";

export const POST = route<{ id: string }>((viewer, _request, { id }) => renewWebhookSecret(viewer, id));
