import { Eye, Link2 } from "lucide-react";
import { Button } from "../_ui/controls/button";
import { formatAmount, formatDate } from "../_ui/format/format";
import { RelativeTime } from "../_ui/format/relative-time";
import { showError } from "../_ui/toast/show-error";
import { revokeLink, type ShareLink, type ShareTarget } from "./share-requests";
import { textNames } from "./shared-texts";

interface LinkListProps {
  links: readonly ShareLink[];
  target: ShareTarget;
  onRevoked(): void;
}

export function LinkList({ links, target, onRevoked }: LinkListProps) {
  if (links.length === 0) return null;
  const revoke = (id: string): void => void revokeLink(id).then(onRevoked, showError);
  return (
    <section aria-labelledby="share-links">
      <h3 id="share-links" className="mb-2 font-medium">
        Links that work
      </h3>
      <ul className="divide-y rounded-md border">
        {links.map((link) => (
          <li key={link.id} className="flex items-center gap-3 px-3 py-2">
            <Link2 size={16} aria-hidden className="shrink-0 text-text-muted" />
            <div className="min-w-0 flex-1">
              <p>{describeLink(link, target)}</p>
              <p className="flex flex-wrap gap-x-2 text-text-muted text-xs">
                <span>
                  {link.createdBy}, <RelativeTime at={link.createdAt} />
                </span>
                <span>{link.expiresAt === null ? "no expiry" : `until ${formatDate(link.expiresAt, "UTC")}`}</span>
                <span className="inline-flex items-center gap-1">
                  <Eye size={12} aria-hidden /> {link.views === 1 ? "1 view" : `${link.views} views`}
                </span>
              </p>
            </div>
            <Button size="small" variant="danger" onClick={() => revoke(link.id)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeLink({ runId, texts, runs }: ShareLink, target: ShareTarget): string {
  if (runId !== null) {
    const shared = texts.map((text) => textNames[text].label.toLowerCase()).join(", ") || "no texts";
    return target.type === "run" ? `Shares ${shared}` : `One run: ${shared}`;
  }
  if (!runs) return "Read only";
  return `${runs.started} of ${runs.most} runs used, ${formatAmount(runs.maxCost)} each`;
}
