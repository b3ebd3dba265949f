import "server-only";
import { createHmac, randomBytes } from "node:crypto";
import { isSameSecret } from "../auth/token";

/** A request as its sender signed it. */
export interface SignedMessage {
  id: string;
  /** Seconds since the epoch. */
  timestamp: string;
  body: string | Buffer;
}

const prefix = "whsec_";
const secretBytes = 32;
/** How far the time of a request may be from now, in seconds, in either direction. */
export const toleranceSeconds = 300;
/** Longest list of signatures that is read, in characters. */
const longestHeader = 4_000;

/** A new secret: `whsec_` and 32 random bytes as base64. */
export const makeWebhookSecret = (): string => prefix + randomBytes(secretBytes).toString("base64");

/** The signature of a message, by version 1 of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256. */
export function signMessage({ id, timestamp, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
}

/** What a check of a request found: its id, which is the same when its sender repeats it, or why it is refused. */
export type CheckedMessage = { id: string } | { problem: string };

/** Checks the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of a request. `now` in milliseconds. */
export function checkSignature(
  { headers, body }: { headers: Headers; body: Buffer },
  secret: string,
  now: number,
): CheckedMessage {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => headers.get(`webhook-${name}`));
  if (!id || !timestamp || !signatures)
    return { problem: "The headers webhook-id, webhook-timestamp and webhook-signature were not all there." };
  // A dot would let one signature fit two messages.
  if (!/^[!-~]{1,200}$/.test(id) || id.includes("."))
    return { problem: "The header webhook-id was not of 1 to 200 printable characters without a dot." };
  if (!/^\d{1,12}$/.test(timestamp))
    return { problem: "The header webhook-timestamp was not a number of seconds since 1970." };
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    return {
      problem: `The time of the request was more than ${toleranceSeconds / 60} minutes from that of this server.`,
    };
  const expected = signMessage({ id, timestamp, body }, secret);
  const isSigned = signatures
    .slice(0, longestHeader)
    .split(" ")
    .some((signature) => isSameSecret(signature, expected));
  return isSigned
    ? { id }
    : { problem: "The signature was not made with the secret of this webhook, or the body was changed." };
}
