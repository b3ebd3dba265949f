import { notFound } from "next/navigation";
import { cache } from "react";
import { AppError } from "@/lib/server/app-error";
import { getGalleryFlow } from "@/lib/server/share-links/gallery";
import { visitLink } from "@/lib/server/share-links/visit";

function showNotFound(error: unknown): never {
  if (error instanceof AppError && error.code === "not_found") notFound();
  throw error;
}

/** What a link shows, read and counted once for a page. */
export const readShared = cache((token: string) => visitLink(token).catch(showNotFound));

/** A flow of the gallery, read once for a page. */
export const readGalleryFlow = cache((id: string) => getGalleryFlow(id).catch(showNotFound));
