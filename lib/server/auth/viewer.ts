import "server-only";
import { AppError } from "../app-error";

/** The user making the request. Every query and command takes one; its teams are in every `where`. */
export interface Viewer {
  id: string;
  name: string;
  /** Teams whose flows and runs the viewer may read and write. */
  teamIds: readonly string[];
  /** What lets data out of the house is an administrator's alone to see and to set. */
  role: "administrator" | "member";
}

/** The one person of local mode: no account, loopback only. */
export const localViewer: Viewer = { id: "local", name: "You", teamIds: ["local"], role: "administrator" };

/** The `where` part that keeps a viewer inside the viewer's teams. */
export const inTeamsOf = (viewer: Viewer) => ({ teamId: { in: [...viewer.teamIds] } });

/** The `where` part of the viewer's flows that are not in the trash. */
export const isLiveFlowOf = (viewer: Viewer) => ({ ...inTeamsOf(viewer), deletedAt: null });

/** Throws AppError `forbidden` for everybody but administrators. */
export function requireAdministrator(viewer: Viewer): void {
  if (viewer.role !== "administrator")
    throw new AppError("forbidden", "Only administrators may see and change this setting. Ask one of yours.");
}
