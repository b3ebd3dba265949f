import * as z from "zod/mini";
import { layoutSchema } from "@/lib/core/flow/schemas/layout-schema";

export const snapshotSchema = z.object({ source: z.string(), layout: layoutSchema });

export const theirsSchema = z.extend(snapshotSchema, { revision: z.string() });
