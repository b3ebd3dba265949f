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
import type { Flow } from "@/lib/core/flow/flow";
import type { ExportOptions } from "@/lib/core/source/formats/export/exported";
import { drawSvgs } from "@/lib/core/source/formats/export/svg/export-svg";
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
  const { seed, editor, notify, access } = useSession();
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
      <div className={access.mayEdit ? "flex flex-wrap items-center gap-2" : "hidden"}>
        <VersionName version={version} onNamed={onNamed} />
        <Button variant="primary" className="sm:ml-auto" disabled={!value || head?.id === version.id} onClick={restore}>
          <History size={14} aria-hidden /> Restore this version
        </Button>
      </div>
      {versions.length > 1 && (
        <div className="flex flex-wrap items-center gap-2">
          <ComparedWith version={version} versions={versions} otherId={otherId} onChange={setOtherId} />
          <div className="sm:ml-auto">
            <ChoiceSwitch label="Compare as" value={mode} choices={modes} onChange={setMode} />
          </div>
        </div>
      )}
      {problem !== null ? (
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
      <Button className="min-w-0 max-sm:flex-1" onClick={() => setDraft(version.name ?? "")}>
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

/** On a phone as high as it needs to be read. */
const pictureStyle = "min-h-0 flex-1 max-md:flex-none max-md:[&_svg]:h-auto max-md:[&_svg]:max-h-[70dvh]";

interface ComparedVersion {
  flow: Flow;
  snapshot: Snapshot;
}

function drawVersions(
  versions: readonly ComparedVersion[],
  options: Pick<ExportOptions, "marks" | "agentNumbers"> = {},
): string[] {
  const view = innerWidth < 768 ? pictureSizes.narrow : pictureSizes.wide;
  const sources = versions.map(({ flow, snapshot }) => ({ text: snapshot.source, flow, layout: snapshot.layout }));
  return drawSvgs(sources, { theme: currentTheme(), view, ...options });
}

function OnlyVersion({ snapshot }: { snapshot: Snapshot }) {
  const [svg = ""] = drawVersions([{ flow: readSource(snapshot.source).flow, snapshot }]);
  return (
    <>
      <p role="status" className="text-text-muted text-xs">
        This is the only version: there is no other to compare it with.
      </p>
      <div className="flex min-h-0 flex-1 flex-col max-md:flex-none">
        <FlowPicture svg={svg} name="the only version" className={pictureStyle} />
      </div>
    </>
  );
}

const titles = ["Older", "Newer"] as const;

function Comparison({ mode, before, after }: ComparisonProps) {
  const [older, newer] = [readSource(before.source).flow, readSource(after.source).flow];
  const marks = compareFlows(older, newer);
  // An agent has one colour in both pictures.
  const agents = new Set([...newer.agents.keys(), ...older.agents.keys()]);
  const agentNumbers = new Map(Array.from(agents, (name, number) => [name, number]));
  const versions = [
    { flow: older, snapshot: before },
    { flow: newer, snapshot: after },
  ];
  const names = [...marks].map(([name, word]) => `${name} ${word}`);
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
        <div className="grid min-h-0 flex-1 grid-rows-2 gap-3 max-md:grid-rows-none">
          {drawVersions(versions, { marks, agentNumbers }).map((svg, index) => (
            <figure key={titles[index]} className="flex min-h-0 min-w-0 flex-col gap-1">
              <figcaption className="font-medium text-xs">{titles[index]}</figcaption>
              <FlowPicture svg={svg} name={`the ${titles[index]?.toLowerCase()} version`} className={pictureStyle} />
            </figure>
          ))}
        </div>
      )}
    </>
  );
}
