import { Bookmark, ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_ui/controls/button";
import { RelativeTime } from "@/app/_ui/format/relative-time";
import { countNouns, formatCount } from "@/lib/core/flow/format-count";
import { describeVersions, groupVersions, type VersionGroup } from "./group-versions";
import type { Version } from "./request-versions";

interface VersionListProps {
  versions: readonly Version[];
  /** The id of the published version. */
  published: string | undefined;
  /** The id of the version that is shown. */
  shown: string;
  onShow(id: string): void;
  /** Null: all are here. */
  onMore: (() => void) | null;
  problem: string | null;
}

export function VersionList({ versions, published, shown, onShow, onMore, problem }: VersionListProps) {
  return (
    <div className="min-h-0 overflow-y-auto rounded-md border border-line">
      <ul aria-label="Versions" className="divide-y divide-line">
        {groupVersions(versions).map((group, index) => (
          <GroupRows
            key={group.newest.id}
            group={group}
            isCurrent={index === 0}
            published={published}
            shown={shown}
            onShow={onShow}
          />
        ))}
      </ul>
      {onMore && (
        <div className="p-2 text-center">
          <Button size="small" onClick={onMore}>
            Older versions
          </Button>
          {problem !== null && (
            <p role="alert" className="mt-1 text-danger text-xs">
              {problem}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

interface GroupRowsProps {
  group: VersionGroup;
  isCurrent: boolean;
  published: string | undefined;
  shown: string;
  onShow(id: string): void;
}

function GroupRows({ group: { newest, others }, isCurrent, published, shown, onShow }: GroupRowsProps) {
  const [isOpen, setOpen] = useState(others.some(({ id }) => id === shown));
  const Icon = isOpen ? ChevronDown : ChevronRight;
  const changes = describeVersions(isOpen ? [newest] : [newest, ...others]);
  return (
    <li>
      <VersionRow
        version={newest}
        changes={changes}
        flag={newest.id === published ? "Published" : isCurrent ? "Current" : null}
        isShown={newest.id === shown}
        onShow={onShow}
      />
      {others.length > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex h-7 w-full items-center gap-1 px-2 text-text-muted text-xs hover:bg-surface-hover"
        >
          <Icon size={13} aria-hidden /> {countNouns(others.length, "more save")}
        </button>
      )}
      {isOpen &&
        others.map((version) => (
          <VersionRow
            key={version.id}
            version={version}
            changes={describeVersions([version])}
            flag={version.id === published ? "Published" : null}
            isShown={version.id === shown}
            onShow={onShow}
          />
        ))}
    </li>
  );
}

interface VersionRowProps {
  version: Version;
  changes: readonly string[];
  flag: "Published" | "Current" | null;
  isShown: boolean;
  onShow(id: string): void;
}

const shownChanges = 3;

function VersionRow({ version, changes, flag, isShown, onShow }: VersionRowProps) {
  const { id, number, name, createdAt, createdBy, runs } = version;
  return (
    <button
      type="button"
      aria-current={isShown}
      onClick={() => onShow(id)}
      className="block w-full px-3 py-2 text-left hover:bg-surface-hover aria-[current=true]:bg-surface-selected"
    >
      <span className="flex items-center gap-1.5 font-medium">
        {name !== null && <Bookmark size={13} aria-hidden className="shrink-0 text-accent-text" />}
        <span className="truncate">{name ?? <RelativeTime at={createdAt} />}</span>
        <span className="ml-auto shrink-0 text-text-muted text-xs tabular-nums">v{number}</span>
        {flag !== null && (
          <span
            className={`shrink-0 rounded px-1.5 text-[11px] ${flag === "Published" ? "bg-success-soft text-success" : "bg-surface-hover text-text-muted"}`}
          >
            {flag}
          </span>
        )}
      </span>
      <span className="block truncate text-text-muted text-xs">
        {createdBy}
        {name !== null && (
          <>
            , <RelativeTime at={createdAt} isShort />
          </>
        )}
        {runs > 0 && `, ${countNouns(runs, "run")}`}
      </span>
      {changes.slice(0, shownChanges).map((change) => (
        <span key={change} className="block truncate text-xs">
          {change}
        </span>
      ))}
      {changes.length > shownChanges && (
        <span className="block text-text-muted text-xs">and {formatCount(changes.length - shownChanges)} more</span>
      )}
    </button>
  );
}
