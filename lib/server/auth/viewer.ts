import "server-only";

/** Whoever is making the request. Every query and command takes one; its teams are in every `where`. */
export interface Viewer {
  id: string;
  name: string;
  /** Teams whose flows and runs the viewer may read and write. */
  teamIds: readonly string[];
}

/** The one person of local mode: no account, loopback only. */
export const localViewer: Viewer = { id: "local", name: "You", teamIds: ["local"] };

/** The `where` part that keeps a viewer inside the viewer's teams. */
export const inTeamsOf = (viewer: Viewer) => ({ teamId: { in: [...viewer.teamIds] } });
