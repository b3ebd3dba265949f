import "server-only";
import type { IncomingMessage } from "node:http";

/** The headers of a request of Node, repeated ones included. */
export function toHeaders(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(request.headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}
