import { publicRoute } from "@/lib/server/http/route";
import { getRunByLink } from "@/lib/server/share-links/visit";

export const GET = publicRoute<{ token: string; id: string }>((_, { token, id }) => getRunByLink(token, id));
