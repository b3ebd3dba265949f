"use client";
import {
  AtSign,
  Check,
  CheckCheck,
  Inbox,
  type LucideIcon,
  MessageSquareReply,
  ThumbsUp,
  UserRoundCheck,
} from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button, buttonClass } from "@/app/_ui/controls/button";
import { EmptyState } from "@/app/_ui/controls/empty-state";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { RelativeTime } from "@/app/_ui/format/relative-time";
import { fetchText } from "@/app/_ui/loading/fetch-json";
import { PageFrame } from "@/app/_ui/shell/page-frame";
import { showError } from "@/app/_ui/toast/show-error";
import type { InboxItem, listInbox } from "@/lib/server/comments/inbox";
import { toItemAddress } from "./item-address";

type InboxPage = Awaited<ReturnType<typeof listInbox>>;

export function InboxView({ page, isAll }: { page: InboxPage; isAll: boolean }) {
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const markRead = (ids?: readonly string[]): void => {
    fetchText("/api/v1/inbox/read", { json: { ids } }).then(() => startTransition(() => router.refresh()), showError);
  };
  return (
    <PageFrame width="narrow" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="mr-auto font-semibold text-xl tracking-tight">Inbox</h1>
        <Link href={isAll ? "/inbox" : "/inbox?show=all"} className={buttonClass("ghost")}>
          {isAll ? "Show unread only" : "Show all"}
        </Link>
        {page.unread > 0 && (
          <Button pending={isPending} onClick={() => markRead()}>
            <CheckCheck size={14} aria-hidden /> Mark all as read
          </Button>
        )}
      </div>
      {page.items.length === 0 ? (
        <EmptyState icon={<Inbox size={32} aria-hidden />} title={isAll ? "Nothing here yet" : "All read"}>
          <p>Mentions, replies to your comments and requests to review a version arrive here.</p>
        </EmptyState>
      ) : (
        <ul aria-label="Inbox" className="divide-y divide-line rounded-lg border border-line bg-surface">
          {page.items.map((item) => (
            <ItemRow key={item.id} item={item} onRead={() => markRead([item.id])} />
          ))}
        </ul>
      )}
      {page.next !== null && (
        <Link
          href={`/inbox?${new URLSearchParams({ ...(isAll && { show: "all" }), before: page.next })}`}
          className={`${buttonClass()} self-end`}
        >
          Older
        </Link>
      )}
    </PageFrame>
  );
}

const typeStyles: Record<InboxItem["type"], { icon: LucideIcon; words: string }> = {
  mention: { icon: AtSign, words: "Mentioned by" },
  reply: { icon: MessageSquareReply, words: "Reply of" },
  review: { icon: UserRoundCheck, words: "Review requested by" },
  decision: { icon: ThumbsUp, words: "Reviewed by" },
};

const decisionWords: Readonly<Record<string, string>> = {
  approved: "Approved by",
  "changes-requested": "Changes requested by",
};

function ItemRow({ item, onRead }: { item: InboxItem; onRead(): void }) {
  const { type, by, excerpt, flow, createdAt, isRead, decision } = item;
  const { icon: Icon, words } = typeStyles[type];
  return (
    <li className="relative flex items-start gap-3 px-4 py-3 hover:bg-surface-hover">
      <Icon size={16} aria-hidden className={`mt-0.5 shrink-0 ${isRead ? "text-text-faint" : "text-accent-text"}`} />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <Link
          href={toItemAddress(item)}
          onClick={isRead ? undefined : onRead}
          className={`truncate after:absolute after:inset-0 ${isRead ? "" : "font-semibold"}`}
        >
          {decisionWords[decision ?? ""] ?? words} {by} in {flow.name}
          {!isRead && <span className="sr-only">, unread</span>}
        </Link>
        <p className="line-clamp-2 text-text-muted [overflow-wrap:anywhere]">{excerpt}</p>
      </div>
      <span className="shrink-0 text-text-muted text-xs">
        <RelativeTime at={createdAt} isShort />
      </span>
      {!isRead && (
        <IconButton label="Mark as read" className="relative z-10 -my-1" onClick={onRead}>
          <Check size={16} aria-hidden />
        </IconButton>
      )}
    </li>
  );
}
