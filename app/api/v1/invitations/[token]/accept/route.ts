import { route } from "@/lib/server/http/route";
import { acceptInvitation } from "@/lib/server/teams/invitations";

export const POST = route<{ token: string }>((viewer, _, { token }) => acceptInvitation(viewer, token));
