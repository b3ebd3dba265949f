import { route, toDownload } from "@/lib/server/http/route";
import { exportRunFile } from "@/lib/server/runs/read/export-run";

/** A run as one JSON file that another instance opens for reading. */
export const GET = route<{ id: string }>(async (viewer, _, { id }) => toDownload(await exportRunFile(viewer, id)));
