import path from "node:path";
import { defineConfig } from "prisma/config";

// `prisma generate` never runs the schema engine, but looks for it; an offline machine cannot download it.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: path.join(import.meta.dirname, "schema.prisma") });
