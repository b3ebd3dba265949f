import { headers } from "next/headers";
import type { Viewer } from "@/lib/server/auth/viewer";
import { admitRequest } from "@/lib/server/http/admit-request";

/** Whoever asks for the page. Every page begins here: the listener before Next is never the only gate. */
export const getViewer = async (): Promise<Viewer> => admitRequest(await headers());
