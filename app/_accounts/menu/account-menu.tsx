"use client";
import { lazy, Suspense, useRef, useState } from "react";
import { loadPart } from "../../_ui/loading/load-part";
import type { PageAccount } from "../../_viewer/page-user";

const loadList = () => loadPart(() => import("./account-menu-list"));
const AccountMenuList = lazy(loadList);

/** At the right of the bar: the account, its teams, and the way out. */
export function AccountMenu({ account }: { account: PageAccount }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const team = account.teams.find(({ id }) => id === account.teamId);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={`Account of ${account.name}${team ? `, team ${team.name}` : ""}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={() => void loadList()}
        onFocus={() => void loadList()}
        onClick={() => setOpen(!isOpen)}
        className="flex h-8 items-center gap-2 rounded-md px-1 hover:bg-surface-hover"
      >
        {team && <span className="max-w-40 truncate pl-1 font-medium text-text-muted max-md:hidden">{team.name}</span>}
        <span
          aria-hidden
          className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-[11px] text-accent-text"
        >
          {toInitials(account.name)}
        </span>
      </button>
      {isOpen && (
        <Suspense>
          <AccountMenuList account={account} anchor={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

const toInitials = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => Array.from(word)[0] ?? "")
    .filter((_, index, words) => index === 0 || index === words.length - 1)
    .join("")
    .toUpperCase();
