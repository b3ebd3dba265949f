import { History, MessageSquare, PencilLine, Rocket } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import { ReviewForm } from "@/app/_comments/review-form";
import { Button, buttonClass } from "@/app/_ui/controls/button";
import { ChoiceSwitch } from "@/app/_ui/controls/choice-switch";
import { LoadProblem } from "@/app/_ui/controls/load-problem";
import { Select } from "@/app/_ui/controls/select";
import { formatExact } from "@/app/_ui/format/format";
import { loadPart } from "@/app/_ui/loading/load-part";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import { showError } from "@/app/_ui/toast/show-error";
import { type Publication, publishVersion } from "@/app/_versions/publication";
import type { Snapshot } from "../../state/save/snapshot";
import { useSession } from "../../state/session-context";
import { Comparison, type ComparisonMode, OnlyVersion } from "./comparison";
import { nameVersion, requestVersion, type Version } from "./request-versions";
import { restoreVersion } from "./restore-version";

const Comments = dynamic(() => loadPart(() => import("@/app/_comments/comments")), { ssr: false });

interface VersionDetailProps {
  version: Version;
  versions: readonly Version[];
  publication: Publication;
  /** It was named or published. */
  onChanged(): void;
  onClose(): void;
}

export function VersionDetail(props: VersionDetailProps) {
  const { version, versions } = props;
  const { seed } = useSession();
  const [head] = versions;
  const [otherId, setOtherId] = useState(
    head?.id === version.id ? (versions[1]?.id ?? version.id) : (head?.id ?? version.id),
  );
  const [mode, setMode] = useState<DetailMode>("picture");
  const { value, problem, retry } = useLoaded({ key: `${version.id} ${otherId}` }, async (signal) => {
    const [shown, other] = await Promise.all([
      requestVersion(seed.id, version.id, signal),
      requestVersion(seed.id, otherId, signal),
    ]);
    return { shown, other };
  });
  const isNewer = version.createdAt >= (versions.find(({ id }) => id === otherId)?.createdAt ?? 0);
  const [before, after] = isNewer ? [otherId, version.id] : [version.id, otherId];
  return (
    <div className="flex min-h-0 min-w-0 flex-col gap-3">
      <VersionActions {...props} snapshot={value?.shown ?? null} />
      <div className="flex flex-wrap items-center gap-2">
        {versions.length > 1 && mode !== "comments" && (
          <>
            <ComparedWith version={version} versions={versions} otherId={otherId} onChange={setOtherId} />
            <Link href={`/flows/${seed.id}/diff?from=${before}&to=${after}`} className={buttonClass("ghost", "small")}>
              Open as a page
            </Link>
          </>
        )}
        <ModeSwitch mode={mode} isOnlyVersion={versions.length === 1} onChange={setMode} />
      </div>
      {mode === "comments" ? (
        <VersionComments version={version} />
      ) : problem !== null ? (
        <LoadProblem onRetry={retry}>The version could not be loaded: {problem}</LoadProblem>
      ) : !value ? (
        <p className="text-text-muted">Reading the version…</p>
      ) : versions.length === 1 ? (
        <OnlyVersion snapshot={value.shown} />
      ) : (
        <Comparison
          mode={mode}
          before={isNewer ? value.other : value.shown}
          after={isNewer ? value.shown : value.other}
        />
      )}
    </div>
  );
}

type VersionActionsProps = VersionDetailProps & { snapshot: Snapshot | null };

function VersionActions({ version, versions, publication, snapshot, onChanged, onClose }: VersionActionsProps) {
  const session = useSession();
  const { access } = session;
  const [isPending, setPending] = useState(false);
  const restore = async (): Promise<void> => {
    if (!snapshot) return;
    setPending(true);
    const title = version.name ?? formatExact(version.createdAt);
    const words = { name: "restore a version", version: `the version ${title}` };
    if (await restoreVersion(session, snapshot, words)) onClose();
    else setPending(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {access.mayEdit && <VersionName version={version} onNamed={onChanged} />}
      <span className="hidden flex-1 sm:block" />
      {publication.mayPublish && publication.published?.id !== version.id && (
        <PublishThis version={version} onPublished={onChanged} />
      )}
      {access.mayEdit && (
        <Button
          variant="primary"
          pending={isPending}
          disabled={!snapshot || versions[0]?.id === version.id}
          onClick={() => void restore()}
        >
          <History size={14} aria-hidden /> Restore this version
        </Button>
      )}
    </div>
  );
}

type DetailMode = ComparisonMode | "comments";

interface ModeSwitchProps {
  mode: DetailMode;
  isOnlyVersion: boolean;
  onChange(mode: DetailMode): void;
}

const ModeSwitch = ({ mode, isOnlyVersion, onChange }: ModeSwitchProps) => (
  <div className="max-w-full overflow-x-auto sm:ml-auto">
    <ChoiceSwitch
      label="Compare as"
      value={mode}
      choices={isOnlyVersion ? modes.filter(({ value }) => value === "picture" || value === "comments") : modes}
      onChange={onChange}
    />
  </div>
);

const modes = [
  { value: "picture", label: "Picture" },
  { value: "overlay", label: "Overlay" },
  { value: "fields", label: "Fields" },
  { value: "text", label: "Text" },
  { value: "comments", label: "Comments" },
] as const;

function PublishThis({ version, onPublished }: { version: Version; onPublished(): void }) {
  const { seed, notify } = useSession();
  const publish = (): void => {
    publishVersion(seed.id, version.id).then(() => {
      notify.info(`Published v${version.number}.`);
      onPublished();
    }, showError);
  };
  return (
    <Button onClick={publish}>
      <Rocket size={14} aria-hidden /> Publish v{version.number}
    </Button>
  );
}

function VersionComments({ version }: { version: Version }) {
  const { seed } = useSession();
  const [isAsking, setAsking] = useState(false);
  const [sent, setSent] = useState(0);
  return (
    <div className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto">
      {isAsking ? (
        <ReviewForm
          flowId={seed.id}
          revision={version.id}
          onCancel={() => setAsking(false)}
          onSent={() => {
            setAsking(false);
            setSent(sent + 1);
          }}
        />
      ) : (
        <Button className="justify-self-start" onClick={() => setAsking(true)}>
          <MessageSquare size={14} aria-hidden /> Ask for a review
        </Button>
      )}
      <Comments key={sent} flowId={seed.id} target={{ type: "revision", id: version.id }} />
    </div>
  );
}

interface ComparedWithProps extends Pick<VersionDetailProps, "version" | "versions"> {
  otherId: string;
  onChange(id: string): void;
}

function ComparedWith({ version, versions, otherId, onChange }: ComparedWithProps) {
  const others = versions.filter(({ id }) => id !== version.id);
  return (
    <div className="flex min-w-0 items-center gap-2 max-sm:w-full">
      <span className="shrink-0 text-text-muted">Compared with</span>
      <Select
        label="Compare with"
        value={otherId}
        options={others.map((other) => [other.id, toTitle(other, versions[0]?.id)])}
        onChange={onChange}
        className="h-8 min-w-0 max-w-72 rounded-md border-line-input px-2 max-sm:flex-1"
      />
    </div>
  );
}

const toTitle = ({ id, number, name, createdAt }: Version, headId: string | undefined): string =>
  `v${number}, ${id === headId ? "current, " : ""}${name === null ? "" : `${name}, `}${formatExact(createdAt)}`;

function VersionName({ version, onNamed }: { version: Version; onNamed(): void }) {
  const { seed } = useSession();
  const [draft, setDraft] = useState<string | null>(null);
  const save = async (name: string): Promise<void> => {
    try {
      await nameVersion(seed.id, version.id, name);
      setDraft(null);
      onNamed();
    } catch (error) {
      showError(error);
    }
  };
  if (draft === null)
    return (
      <Button className="min-w-0 max-sm:grow" onClick={() => setDraft(version.name ?? "")}>
        <PencilLine size={14} aria-hidden className="shrink-0" />
        {version.name === null ? (
          <span>
            Name<span className="max-sm:sr-only"> this version</span>
          </span>
        ) : (
          <span className="truncate">{version.name}</span>
        )}
      </Button>
    );
  return (
    <form
      className="flex min-w-0 gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save(draft);
      }}
    >
      <input
        ref={(field) => field?.focus()}
        aria-label="Name of the version"
        value={draft}
        maxLength={100}
        onChange={(event) => setDraft(event.target.value)}
        className="h-8 min-w-0 rounded-md border border-line-input bg-surface px-2"
      />
      <Button type="submit">Save name</Button>
    </form>
  );
}
