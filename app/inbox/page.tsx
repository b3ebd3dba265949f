import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getViewer } from "@/app/_viewer/get-viewer";
import { AppError } from "@/lib/server/app-error";
import { listInbox } from "@/lib/server/comments/inbox";
import { InboxView } from "./_inbox/inbox-view";

/** The position of a page that is not in this inbox. */
function toNotFound(error: unknown): never {
  if (error instanceof AppError && error.code === "bad_request") notFound();
  throw error;
}

export const metadata: Metadata = { title: "Inbox" };

/** `/inbox?show=all`: also what was read. */
export default async function InboxPage({ searchParams }: PageProps<"/inbox">) {
  const viewer = await getViewer();
  const { show, before } = await searchParams;
  const isAll = show === "all";
  const page = await listInbox(viewer, {
    ...(!isAll && { unread: "1" as const }),
    ...(typeof before === "string" && before !== "" && { before }),
  }).catch(toNotFound);
  return <InboxView page={page} isAll={isAll} />;
}
