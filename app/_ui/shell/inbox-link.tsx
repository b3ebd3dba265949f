import { Inbox } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { fetchJson } from "../loading/fetch-json";
import { useLoaded } from "../loading/use-loaded";

/** Read by hand: pages that need no other schema load no library for it. */
const unreadSchema = {
  parse(value: unknown): number {
    if (typeof value === "object" && value !== null && "unread" in value && typeof value.unread === "number")
      return value.unread;
    throw new Error("expected an object with the number `unread`");
  },
};

const refreshMs = 60_000;
const mostShown = 99;

/** The way to the inbox, with how much of it is unread. */
export function InboxLink() {
  const path = usePathname();
  const { value } = useLoaded({ key: path, refreshMs }, (signal) =>
    fetchJson("/api/v1/inbox/unread", unreadSchema, { cache: "no-store", signal }),
  );
  const unread = value ?? 0;
  const label = unread === 0 ? "Inbox" : `Inbox, ${unread} unread`;
  return (
    <Link
      href="/inbox"
      aria-label={label}
      title={label}
      aria-current={path === "/inbox" ? "page" : undefined}
      className="relative grid size-8 shrink-0 place-items-center rounded-md text-text-muted hover:bg-surface-hover hover:text-text aria-[current=page]:bg-surface-hover aria-[current=page]:text-text"
    >
      <Inbox size={16} aria-hidden />
      {unread > 0 && (
        <span
          aria-hidden
          className="absolute top-0 right-0 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 font-semibold text-[10px] text-on-accent tabular-nums"
        >
          {unread > mostShown ? `${mostShown}+` : unread}
        </span>
      )}
    </Link>
  );
}
