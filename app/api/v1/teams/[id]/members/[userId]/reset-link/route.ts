import { createResetLink } from "@/lib/server/accounts/reset-link";
import { route } from "@/lib/server/http/route";

/** A link with which a member sets a new password, for servers that send no mail. */
export const POST = route<{ id: string; userId: string }>(async (viewer, _, { id, userId }) =>
  Response.json(await createResetLink(viewer, id, userId), { status: 201 }),
);
