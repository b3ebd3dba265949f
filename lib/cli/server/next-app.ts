import { createServer, type RequestListener } from "node:http";
import next from "next";
import { logger } from "@/lib/server/log/logger";

export interface NextApp {
  handle: RequestListener;
  close(): Promise<void>;
}

/** The pages and the API of a production build, to be served at a port that is listened to already. */
export async function openNextApp(options: { folder: string; hostname: string; port: number }): Promise<NextApp> {
  const { folder, hostname, port } = options;
  // Next answers upgrade requests of the server that it gets, or else of the one of its first request, and ends those of
  // paths that it knows: it gets one that never listens.
  const httpServer = createServer();
  const app = next({ dev: false, quiet: true, dir: folder, hostname, port, httpServer });
  await app.prepare();
  const handle = app.getRequestHandler();
  return {
    handle: (request, response) => {
      handle(request, response).catch((error: unknown) => {
        logger.error({ err: error }, "request failed");
        if (!response.headersSent) response.writeHead(500, { "Content-Type": "text/plain" });
        response.end("Internal Server Error");
      });
    },
    close: () => app.close(),
  };
}
