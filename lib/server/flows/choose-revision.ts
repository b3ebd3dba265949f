import "server-only";
import { isAutomatic } from "@/lib/core/run/events/run-starter";
import { AppError } from "../app-error";

/** The revisions of a flow that a request can name without knowing their ids. */
export const namedRevisions = ["published", "latest"] as const;

/** Whether a request names a revision by its id. */
export const isRevisionId = (revision: string | undefined): revision is string =>
  revision !== undefined && !namedRevisions.some((name) => name === revision);

/**
 * The id of the revision that a request means: `published`, `latest`, or an id as it is. Missing: for people the newest,
 * for API keys, schedules and webhooks the published one if there is one. Throws AppError `conflict` for `published` where
 * none is.
 */
export function chooseRevision(
  { revisionId, publishedId }: { revisionId: string | null; publishedId: string | null },
  { revision, starterId }: { revision: string | undefined; starterId: string },
): string {
  if (isRevisionId(revision)) return revision;
  const latest = revisionId ?? "";
  if (revision === undefined) return isAutomatic(starterId) ? (publishedId ?? latest) : latest;
  if (revision === "latest") return latest;
  if (publishedId === null) throw new AppError("conflict", "No version of this flow is published. Publish one first.");
  return publishedId;
}
