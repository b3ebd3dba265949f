import { headers } from "next/headers";
import { requireViewer } from "@/lib/server/auth/local";
import type { Viewer } from "@/lib/server/auth/viewer";

/** The viewer of a page. Every page calls it, because the gate before the pages must never be the only one. */
export const getViewer = async (): Promise<Viewer> => requireViewer(await headers());
