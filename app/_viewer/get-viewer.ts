import { headers } from "next/headers";
import { requireViewer } from "@/lib/server/auth/local";
import type { Viewer } from "@/lib/server/auth/viewer";

/** Whoever asks for the page. Every page begins here: the listener before Next is never the only gate. */
export const getViewer = async (): Promise<Viewer> => requireViewer(await headers());
