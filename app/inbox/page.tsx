import type { Metadata } from "next";
import { getViewer } from "@/app/_viewer/get-viewer";
import { listInbox } from "@/lib/server/comments/inbox";
import { InboxView } from "./_inbox/inbox-view";

export const metadata: Metadata = { title: "Inbox" };

/** `/inbox?show=all`: also what was read. */
export default async function InboxPage({ searchParams }: PageProps<"/inbox">) {
  const viewer = await getViewer();
  const { show, before } = await searchParams;
  const isAll = show === "all";
  const page = await listInbox(viewer, {
    ...(!isAll && { unread: "1" as const }),
    ...(typeof before === "string" && { before }),
  });
  return <InboxView page={page} isAll={isAll} />;
}
