import dynamic from "next/dynamic";
import { FlowPicture } from "@/app/_formats/flow-picture";
import { currentTheme } from "@/app/_formats/picture";
import { loadPart } from "@/app/_ui/loading/load-part";
import { FieldTable } from "@/app/_versions/field-table";
import { OverlayPicture } from "@/app/_versions/overlay-picture";
import { AgentNumbers } from "@/lib/core/flow/agent-numbers";
import type { Flow } from "@/lib/core/flow/flow";
import type { ExportOptions, ExportSource } from "@/lib/core/source/formats/export/exported";
import { drawSvgs } from "@/lib/core/source/formats/export/svg/export-svg";
import { diffFlows, marksOf } from "@/lib/core/source/query/diff-flows";
import { readSource } from "@/lib/core/source/read-source";
import type { Snapshot } from "../../state/save/snapshot";

const TextDiff = dynamic(() => loadPart(() => import("./text-diff")), { ssr: false });

export type ComparisonMode = "picture" | "overlay" | "fields" | "text";

interface ComparisonProps {
  mode: ComparisonMode;
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

const toSource = ({ flow, snapshot }: ComparedVersion): ExportSource => ({
  text: snapshot.source,
  flow,
  layout: snapshot.layout,
});

function drawVersions(
  versions: readonly ComparedVersion[],
  options: Pick<ExportOptions, "marks" | "agentNumbers"> = {},
): string[] {
  const view = innerWidth < 768 ? pictureSizes.narrow : pictureSizes.wide;
  return drawSvgs(versions.map(toSource), { theme: currentTheme(), view, ...options });
}

export function OnlyVersion({ snapshot }: { snapshot: Snapshot }) {
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

export function Comparison({ mode, before, after }: ComparisonProps) {
  const [older, newer] = [readSource(before.source).flow, readSource(after.source).flow];
  const diff = diffFlows(older, newer);
  const marks = marksOf(diff);
  // An agent has one colour in both pictures.
  const agentNumbers = new AgentNumbers([...newer.agents.keys(), ...older.agents.keys()]).byName;
  const oldVersion = { flow: older, snapshot: before };
  const newVersion = { flow: newer, snapshot: after };
  const names = diff.nodes.map((node) =>
    node.type === "renamed" ? `${node.oldName} renamed to ${node.name}` : `${node.name} ${node.type}`,
  );
  const isSameText = before.source === after.source;
  return (
    <>
      <p role="status" className="truncate text-text-muted text-xs">
        {isSameText ? "The texts are the same." : names.join(", ") || "The same nodes; the text differs."}
      </p>
      {mode === "text" ? (
        <div className="min-h-0 flex-1 max-md:h-120 max-md:flex-none">
          <TextDiff before={before.source} after={after.source} />
        </div>
      ) : mode === "fields" ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <FieldTable diff={diff} isSameText={isSameText} />
        </div>
      ) : mode === "overlay" ? (
        <OverlayPicture before={toSource(oldVersion)} after={toSource(newVersion)} className={pictureStyle} />
      ) : (
        <div className="grid min-h-0 flex-1 grid-rows-2 gap-3 max-md:grid-rows-none">
          {drawVersions([oldVersion, newVersion], { marks, agentNumbers }).map((svg, index) => (
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
