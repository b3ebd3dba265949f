import "server-only";
import type { IncomingMessage } from "node:http";
import { classifyAddress } from "./address";

/** The header in which the gate notes from where a request came; what a client sends in it is replaced. */
export const clientAddressHeader = "x-client-address";

/**
 * From where a request came: the address of its connection, or, where a proxy of this machine or of its network connected,
 * the last one that it noted in `X-Forwarded-For`.
 */
export function readClientAddress({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">): string {
  const peer = socket.remoteAddress ?? "";
  if (classifyAddress(peer) === "public") return peer;
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",");
  return forwarded.split(",").at(-1)?.trim() || peer;
}
