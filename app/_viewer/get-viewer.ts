import { headers } from "next/headers";
import type { Viewer } from "@/lib/server/auth/viewer";
import { admitRequest } from "@/lib/server/http/admit-request";

/** The user of the request. Every page begins here: the proxy in front of Next is never the only gate. */
export const getViewer = async (): Promise<Viewer> => admitRequest(await headers());
