import "./.config/no-telemetry.mjs";
import { hashSources } from "./lib/cli/server/source-hash.mjs";

/**
 * Answers of routes that can be long. Next packs an answer only when its type was set as one string, which it does not do for
 * routes itself (vercel/next.js issue 98007): without this, 100,000 steps would be 3.4 MB on the wire instead of 0.7.
 */
const longAnswers = "/api/v1/runs/:id/:part(structure|turns|file|otlp)";

/** @type {import("next").NextConfig} */
export default {
  // The id tells from which sources a build was made: `npm start` builds when there is none of the present ones.
  generateBuildId: () => hashSources(import.meta.dirname),
  // `npm start` wants a server soon; the tests check the types.
  typescript: { ignoreBuildErrors: process.env.SWARMLOOM_BUILD_TYPES === "0" },
  // Modules of pages are loaded with their first request: a server that was just started takes 25 MB less.
  experimental: { preloadEntriesOnStart: false },
  reactCompiler: true,
  typedRoutes: true,
  poweredByHeader: false,
  serverExternalPackages: [
    "better-sqlite3",
    "graphile-worker",
    "@prisma/client",
    "@prisma/adapter-better-sqlite3",
    "@prisma/adapter-pg",
    "pg",
    "pino",
    "prom-client",
    "undici",
    // Live connections are served outside of Next: two copies would not know each other's documents.
    "yjs",
  ],
  async headers() {
    return [{ source: longAnswers, headers: [{ key: "Content-Type", value: "application/json" }] }];
  },
};
