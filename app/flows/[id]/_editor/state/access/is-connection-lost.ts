import type { LiveState } from "../live/live";

/** Whether a connection to the others that there was is lost. Where it never was, a proxy may refuse it, and nothing else is lost. */
export const isConnectionLost = ({ status, self }: Pick<LiveState, "status" | "self">): boolean =>
  status === "reconnecting" || (status === "off" && self !== null);
