import "server-only";
import { AppError } from "../app-error";
import { getEnv, getOwnPort } from "../env";
import { isEveryAddress, isLoopbackHost } from "./loopback";

/** Whether people sign in here: with an address for users, or one that other machines reach. Else the user of this machine is the one viewer. */
export function isTeamMode(): boolean {
  const { SWARMLOOM_URL } = getEnv();
  return SWARMLOOM_URL !== undefined || !isLoopbackHost(getOwnHost());
}

/** The address of this server, as far as it knows it; where HOST is every address and no SWARMLOOM_URL is set, no one can open it. */
export const getOwnOrigin = (): string => getEnv().SWARMLOOM_URL ?? `http://${getOwnHost()}:${getOwnPort()}`;

/** The address that links to this server begin with; null: it is not known. */
export function findLinkOrigin(): string | null {
  const { HOST, SWARMLOOM_URL } = getEnv();
  return SWARMLOOM_URL === undefined && isEveryAddress(HOST) ? null : getOwnOrigin();
}

/** The address that links to this server begin with. Throws AppError `conflict` where it is not known. */
export function getLinkOrigin(): string {
  const origin = findLinkOrigin();
  if (origin === null)
    throw new AppError(
      "conflict",
      `Links need the address that users open, and this server listens on every address (HOST=${getEnv().HOST}). Its operator sets SWARMLOOM_URL, e.g. SWARMLOOM_URL=http://192.168.1.5:${getOwnPort()}, and starts it again.`,
    );
  return origin;
}

/** HOST as it is in an address. */
function getOwnHost(): string {
  const { HOST } = getEnv();
  return HOST.includes(":") ? `[${HOST}]` : HOST;
}
