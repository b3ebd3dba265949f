import "server-only";
import { requireLocalViewer } from "./local";
import { assertOwnAddress } from "./own-address";
import { isTeamMode } from "./team-mode";

/**
 * What can be known of a request without looking who makes it: it is meant for this server, and no page of another site sent
 * it; in local mode it shows the token. Throws AppError `forbidden` or `unauthorized`.
 */
export function assertAddressed(headers: Headers): void {
  if (isTeamMode()) assertOwnAddress(headers);
  else requireLocalViewer(headers);
}
