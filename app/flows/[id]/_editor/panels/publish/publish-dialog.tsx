import { History, Rocket } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { ReviewForm } from "@/app/_comments/review-form";
import { Button } from "@/app/_ui/controls/button";
import { Dialog, DialogActions } from "@/app/_ui/controls/dialog";
import { LoadProblem } from "@/app/_ui/controls/load-problem";
import { RelativeTime } from "@/app/_ui/format/relative-time";
import { messageOf } from "@/app/_ui/loading/fetch-json";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import { MessageText } from "@/app/_ui/text/message-text";
import { FieldTable } from "@/app/_versions/field-table";
import { type Publication, publishVersion, requestPublication, unpublish } from "@/app/_versions/publication";
import { countNouns } from "@/lib/core/flow/format-count";
import { diffFlows } from "@/lib/core/source/query/diff-flows";
import { readSource } from "@/lib/core/source/read-source";
import type { Snapshot } from "../../state/save/snapshot";
import { useSession } from "../../state/session-context";
import { requestVersion } from "../versions/request-versions";
import { restoreVersion } from "../versions/restore-version";

interface PublishDraft {
  publication: Publication;
  latest: Snapshot;
  /** Null: none is published. */
  published: Snapshot | null;
}

/** What publishing the newest version changes, and whose edits it publishes. */
export default function PublishDialog({ onClose }: { onClose(): void }) {
  const { seed, autosave } = useSession();
  const { value, problem, retry } = useLoaded({ key: seed.id }, async (signal): Promise<PublishDraft> => {
    // What was just edited is published, too.
    await autosave.flush();
    const publication = await requestPublication(seed.id, signal);
    const { published, latest } = publication;
    const [latestSnapshot, publishedSnapshot] = await Promise.all([
      requestVersion(seed.id, latest.id, signal),
      published && requestVersion(seed.id, published.id, signal),
    ]);
    return { publication, latest: latestSnapshot, published: publishedSnapshot };
  });
  return (
    <Dialog
      open
      wide={value?.published != null && !value.publication.isCurrent}
      onOpenChange={onClose}
      title="Publish"
      description="API keys, schedules and webhooks run the published version. Run in the editor always runs the newest one."
    >
      {problem !== null ? (
        <LoadProblem onRetry={retry}>The versions could not be loaded: {problem}</LoadProblem>
      ) : value ? (
        <DraftReview draft={value} onClose={onClose} />
      ) : (
        <p className="text-text-muted">Reading the versions…</p>
      )}
    </Dialog>
  );
}

interface DraftReviewProps {
  draft: PublishDraft;
  onClose(): void;
}

function DraftReview({ draft, onClose }: DraftReviewProps) {
  const { seed, notify } = useSession();
  const [isAsking, setAsking] = useState(false);
  const { publication, latest, published: snapshot } = draft;
  return (
    <div className="grid gap-3">
      <Summary publication={publication} />
      {snapshot && !publication.isCurrent && (
        <FieldTable
          diff={diffFlows(readSource(snapshot.source).flow, readSource(latest.source).flow)}
          isSameText={snapshot.source === latest.source}
        />
      )}
      {isAsking && (
        <ReviewForm
          flowId={seed.id}
          revision={publication.latest.id}
          onCancel={() => setAsking(false)}
          onSent={() => {
            setAsking(false);
            notify.info(`The review of v${publication.latest.number} is requested.`);
          }}
        />
      )}
      <Actions draft={draft} onAsk={isAsking ? null : () => setAsking(true)} onClose={onClose} />
    </div>
  );
}

/** `onAsk` is null while a review is being requested. */
function Actions({ draft, onAsk, onClose }: DraftReviewProps & { onAsk: (() => void) | null }) {
  const { seed } = useSession();
  const { perform, discard, isPending, refusal } = usePublishing(draft, onClose);
  const { published, latest, mayPublish, isCurrent } = draft.publication;
  const hasDraft = published !== null && !isCurrent;
  return (
    <>
      {refusal !== null && (
        <p role="alert" className="text-danger">
          <MessageText text={refusal} />
        </p>
      )}
      <DialogActions>
        {hasDraft && (
          <Link
            href={`/flows/${seed.id}/diff?from=${published.id}&to=${latest.id}`}
            className="mr-auto self-center text-accent-text underline underline-offset-2"
          >
            Compare in full
          </Link>
        )}
        {onAsk && (
          <Button variant="ghost" onClick={onAsk}>
            Ask for a review
          </Button>
        )}
        {published && mayPublish && (
          <Button
            variant="ghost"
            disabled={isPending}
            onClick={() => void perform(() => unpublish(seed.id), "No version is published any more.")}
          >
            Unpublish
          </Button>
        )}
        {hasDraft && mayPublish && (
          <Button variant="danger" disabled={isPending} onClick={() => void discard()}>
            <History size={14} aria-hidden /> Discard my draft
          </Button>
        )}
        {!isCurrent && mayPublish && (
          <Button
            variant="primary"
            pending={isPending}
            onClick={() => void perform(() => publishVersion(seed.id, latest.id), `Published v${latest.number}.`)}
          >
            <Rocket size={14} aria-hidden /> Publish v{latest.number}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

function usePublishing({ publication: { published }, published: snapshot }: PublishDraft, onClose: () => void) {
  const session = useSession();
  const { notify } = session;
  const [isPending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const perform = async (action: () => Promise<unknown>, done: string): Promise<void> => {
    setPending(true);
    setRefusal(null);
    try {
      await action();
      notify.info(done);
      onClose();
    } catch (error) {
      setRefusal(messageOf(error));
      setPending(false);
    }
  };
  const discard = async (): Promise<void> => {
    if (!snapshot || !published) return;
    setPending(true);
    const words = { name: "discard the draft", version: `the published version v${published.number}` };
    if (await restoreVersion(session, snapshot, words)) onClose();
    else setPending(false);
  };
  return { perform, discard, isPending, refusal };
}

function Summary({ publication: { published, latest, isCurrent, authors } }: { publication: Publication }) {
  if (published === null)
    return (
      <p>
        No version is published: API keys, schedules and webhooks run the newest one. Once you publish v{latest.number},
        later edits stay a draft until you publish again.
      </p>
    );
  return (
    <>
      <p>
        {isCurrent ? "The newest version is published: " : ""}
        <b>v{published.number}</b>
        {published.name !== null && `, ${published.name},`} was published by {published.by}{" "}
        <RelativeTime at={published.at} />.
      </p>
      {!isCurrent && authors.length > 0 && (
        <p>
          v{latest.number} includes{" "}
          {authors.map(({ name, saves }) => `${countNouns(saves, "save")} by ${name}`).join(", ")}.
        </p>
      )}
    </>
  );
}
