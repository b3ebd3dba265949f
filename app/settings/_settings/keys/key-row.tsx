import { Ban } from "lucide-react";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { Moment } from "@/app/_ui/format/moment";
import { RelativeTime } from "@/app/_ui/format/relative-time";
import type { KeyDetail } from "@/lib/server/keys/key-setting";
import { scopeWords } from "./scope-words";

/** One key, with what it may do and when it was used. */
export function KeyRow({ apiKey, onRevoke }: { apiKey: KeyDetail; onRevoke(): void }) {
  const { name, scopes, lastFour, createdBy, createdAt, expiresAt, lastUsedAt } = apiKey;
  const hasExpired = expiresAt !== null && expiresAt <= Date.now();
  return (
    <li aria-label={name} className="flex items-start gap-3 border-line px-4 py-3 not-last:border-b">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <h3 className="font-semibold text-sm [overflow-wrap:anywhere]">{name}</h3>
          <span className="font-mono text-text-muted text-xs">
            swl_<span aria-hidden>••••</span>
            {lastFour}
          </span>
          {hasExpired && (
            <span className="inline-flex h-5 items-center rounded-full bg-warning-soft px-2 font-medium text-warning text-xs">
              Expired
            </span>
          )}
        </div>
        <p className="mt-1 text-pretty text-text-muted">{scopes.map((scope) => scopeWords[scope].label).join(", ")}</p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-text-muted text-xs">
          <span>
            Made by {createdBy} <RelativeTime at={createdAt} />
          </span>
          <span>{lastUsedAt === null ? "Not used yet" : <LastUse at={lastUsedAt} />}</span>
          <span>{expiresAt === null ? "Does not expire" : <Expiry at={expiresAt} hasExpired={hasExpired} />}</span>
        </p>
      </div>
      <IconButton label={`Revoke ${name}`} onClick={onRevoke}>
        <Ban size={14} aria-hidden />
      </IconButton>
    </li>
  );
}

const LastUse = ({ at: timeMs }: { at: number }) => (
  <>
    Last used <RelativeTime at={timeMs} />
  </>
);

const Expiry = ({ at: timeMs, hasExpired }: { at: number; hasExpired: boolean }) => (
  <>
    {hasExpired ? "Expired" : "Expires"} <Moment at={timeMs} />
  </>
);
