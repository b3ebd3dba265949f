import { History, PencilLine } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { FlowPicture } from "@/app/_formats/flow-picture";
import { currentTheme } from "@/app/_formats/picture";
import { Button } from "@/app/_ui/controls/button";
import { ChoiceSwitch } from "@/app/_ui/controls/choice-switch";
import { LoadProblem } from "@/app/_ui/controls/load-problem";
import { Select } from "@/app/_ui/controls/select";
import { loadPart } from "@/app/_ui/loading/load-part";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import { showError } from "@/app/_ui/toast/show-error";
import { exportSvg } from "@/lib/core/source/formats/export/svg/export-svg";
import { compareFlows } from "@/lib/core/source/query/compare-flows";
import { readSource } from "@/lib/core/source/read-source";
import type { Snapshot } from "../../state/save/snapshot";
import { useSession } from "../../state/session-context";
import { nameVersion, requestVersion, type Version } from "./request-versions";

const TextDiff = dynamic(() => loadPart(() => import("./text-diff")), { ssr: false });

interface VersionDetailProps {
  version: Version;
  versions: readonly Version[];
  onNamed(): void;
  onClose(): void;
}

export function VersionDetail({ version, versions, onNamed, onClose }: VersionDetailProps) {
  const { seed, editor, notify } = useSession();
  const [head] = versions;
  const [otherId, setOtherId] = useState(
    head?.id === version.id ? (versions[1]?.id ?? version.id) : (head?.id ?? version.id),
  );
  const [mode, setMode] = useState<"picture" | "text">("picture");
  const { value, problem, retry } = useLoaded({ key: `${version.id} ${otherId}` }, async (signal) => {
    const [shown, other] = await Promise.all([
      requestVersion(seed.id, version.id, signal),
      requestVersion(seed.id, otherId, signal),
    ]);
    return { shown, other };
  });
  const restore = (): void => {
    if (!value) return;
    const title = version.name ?? new Date(version.createdAt).toLocaleString();
    const words = { name: "restore a version", done: `Restored the version ${title}` };
    editor.replace(value.shown.source, value.shown.layout, words);
    notify.info(`${words.done}. Undo takes it back.`);
    onClose();
  };
  const isNewer = version.createdAt >= (versions.find(({ id }) => id === otherId)?.createdAt ?? 0);
  return (
    <div className="flex min-h-0 min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <VersionName version={version} onNamed={onNamed} />
        <Button variant="primary" className="ml-auto" disabled={!value || head?.id === version.id} onClick={restore}>
          <History size={14} aria-hidden /> Restore this version
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-text-muted">Compared with</span>
        <Select
          label="Compare with"
          value={otherId}
          options={versions.filter(({ id }) => id !== version.id).map((other) => [other.id, toTitle(other, head?.id)])}
          onChange={setOtherId}
          className="h-8 min-w-0 max-w-72 rounded-md border-line-input px-2"
        />
        <div className="ml-auto">
          <ChoiceSwitch label="Compare as" value={mode} choices={modes} onChange={setMode} />
        </div>
      </div>
      {problem !== null ? (
        <LoadProblem onRetry={retry}>The version could not be loaded: {problem}</LoadProblem>
      ) : !value ? (
        <p className="text-text-muted">Reading the version…</p>
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

const toTitle = ({ id, name, createdAt }: Version, headId: string | undefined): string =>
  `${id === headId ? "Current, " : ""}${name === null ? "" : `${name}, `}${new Date(createdAt).toLocaleString()}`;

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
      <Button onClick={() => setDraft(version.name ?? "")}>
        <PencilLine size={14} aria-hidden /> {version.name === null ? "Name this version" : version.name}
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

const modes = [
  { value: "picture", label: "Picture" },
  { value: "text", label: "Text" },
] as const;

interface ComparisonProps {
  mode: "picture" | "text";
  before: Snapshot;
  after: Snapshot;
}

/** About the sizes that the pictures have. */
const pictureSizes = { narrow: { width: 300, height: 200 }, wide: { width: 900, height: 250 } } as const;

function Comparison({ mode, before, after }: ComparisonProps) {
  const [older, newer] = [readSource(before.source).flow, readSource(after.source).flow];
  const marks = compareFlows(older, newer);
  const names = [...marks].map(([name, word]) => `${name} ${word}`);
  const theme = currentTheme();
  const view = innerWidth < 768 ? pictureSizes.narrow : pictureSizes.wide;
  return (
    <>
      <p role="status" className="truncate text-text-muted text-xs">
        {before.source === after.source
          ? "The texts are the same."
          : names.join(", ") || "The same nodes; the text differs."}
      </p>
      {mode === "text" ? (
        <div className="min-h-0 flex-1 max-md:h-120 max-md:flex-none">
          <TextDiff before={before.source} after={after.source} />
        </div>
      ) : (
        <div className="grid min-h-0 flex-1 grid-rows-2 gap-3 max-md:grid-rows-[240px_240px]">
          {[
            { title: "Older", flow: older, snapshot: before },
            { title: "Newer", flow: newer, snapshot: after },
          ].map(({ title, flow, snapshot }) => (
            <figure key={title} className="flex min-h-0 min-w-0 flex-col gap-1">
              <figcaption className="font-medium text-xs">{title}</figcaption>
              <FlowPicture
                svg={exportSvg({ text: snapshot.source, flow, layout: snapshot.layout }, { theme, marks, view }).text}
                name={`the ${title.toLowerCase()} version`}
                className="min-h-0 flex-1"
              />
            </figure>
          ))}
        </div>
      )}
    </>
  );
}
