import "server-only";
import type { RequestListener } from "node:http";
import dataHeaders from "./data-headers.json";

/**
 * Lets `handle`, which is Next's, answer what it can. TRACE would throw there before any code of the app runs, as no `Request`
 * can have it. Answers that never reach the app, such as redirects to a tidier path, keep the headers that are set here.
 */
export const guardListener =
  (handle: RequestListener): RequestListener =>
  (request, response) => {
    for (const [name, value] of Object.entries(dataHeaders)) response.setHeader(name, value);
    if (request.method !== "TRACE") return handle(request, response);
    response.writeHead(405, {
      allow: "GET, HEAD, POST, PUT, DELETE, OPTIONS",
      "content-type": "text/plain; charset=utf-8",
    });
    response.end("The method TRACE is not answered.\n");
  };
