import "server-only";
import { z } from "zod";
import { type FlowThumbnail, thumbnailLinkTypes, thumbnailShapes } from "@/lib/core/layout/thumbnail/thumbnail";

const size = z.number();

export const thumbnailSchema: z.ZodType<FlowThumbnail> = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("drawing"),
    width: size,
    height: size,
    nodes: z.array(z.tuple([z.enum(thumbnailShapes), size, size, size, size, size])),
    links: z.array(z.tuple([z.enum(thumbnailLinkTypes), size, size, size, size])),
  }),
  z.object({ type: z.literal("blocks"), columns: z.array(z.string()) }),
]);
