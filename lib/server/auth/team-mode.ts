import "server-only";
import { getEnv, getOwnPort } from "../env";
import { isLoopbackHost } from "./loopback";

/** Whether people sign in here: with an address for users, or one that other machines reach. Else the user of this machine is the one viewer. */
export function isTeamMode(): boolean {
  const { SWARMLOOM_URL } = getEnv();
  return SWARMLOOM_URL !== undefined || !isLoopbackHost(getOwnHost());
}

/** The address that links to this server begin with. */
export const getOwnOrigin = (): string => getEnv().SWARMLOOM_URL ?? `http://${getOwnHost()}:${getOwnPort()}`;

/** HOST as it is in an address. */
function getOwnHost(): string {
  const { HOST } = getEnv();
  return HOST.includes(":") ? `[${HOST}]` : HOST;
}
