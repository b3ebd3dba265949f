import "server-only";
import type { IncomingMessage } from "node:http";

/** Largest body of any request, in bytes: above the limit of each route, whose message is more helpful. */
export const maxBodyBytes = 6_000_000;

/** Whether a request declares a body that is larger than `limit` bytes. */
export const declaresMore = ({ headers }: IncomingMessage, limit: number): boolean =>
  Number(headers["content-length"] ?? 0) > limit;

/**
 * Counts what arrives of a body, however its reader takes it. After more than `limit` bytes nothing is passed on, and
 * `refuse` is called, once.
 */
export function limitBody(request: IncomingMessage, limit: number, refuse: () => void): void {
  const push = request.push.bind(request);
  let bytes = 0;
  request.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    const isOver = bytes > limit;
    if (chunk instanceof Uint8Array) bytes += chunk.byteLength;
    if (bytes <= limit) return push(chunk, encoding);
    if (!isOver) refuse();
    return false;
  };
}
