import { readFileSync } from "node:fs";

/** The headers of what proxy.ts leaves out; everything else gets its headers there. */
const dataHeaders = JSON.parse(readFileSync(new URL("lib/server/data-headers.json", import.meta.url), "utf8"));

/**
 * Answers of routes that can be long. Next packs an answer only when its type was set as one string, which it does not do for
 * routes itself (vercel/next.js issue 98007): without this, 100,000 steps would be 3.4 MB on the wire instead of 0.7.
 */
const longAnswers = "/api/v1/runs/:id/:part(structure|turns|file|otlp)";

/** @type {import("next").NextConfig} */
export default {
  reactCompiler: true,
  typedRoutes: true,
  poweredByHeader: false,
  serverExternalPackages: ["better-sqlite3", "@prisma/client", "@prisma/adapter-better-sqlite3", "pino", "undici"],
  async headers() {
    return [
      {
        source: "/_next/static/:path*",
        headers: Object.entries(dataHeaders).map(([key, value]) => ({ key, value })),
      },
      { source: longAnswers, headers: [{ key: "Content-Type", value: "application/json" }] },
    ];
  },
};
