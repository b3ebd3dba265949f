import type { RequestListener, Server } from "node:http";
import next from "next";
import { logger } from "@/lib/server/log/logger";

export interface NextApp {
  handle: RequestListener;
  close(): Promise<void>;
}

/** The pages and the API of a production build, to be served by `httpServer`, which listens already. */
export async function openNextApp(options: {
  folder: string;
  hostname: string;
  port: number;
  httpServer: Server;
}): Promise<NextApp> {
  const { folder, hostname, port, httpServer } = options;
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
