import { notFound } from "next/navigation";
import { cache } from "react";
import { AppError } from "@/lib/server/app-error";
import { visitLink } from "@/lib/server/share-links/visit";

/** What a link shows, read and counted once for a page. */
export const readShared = cache((token: string) =>
  visitLink(token).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }),
);
