import dynamic from "next/dynamic";
import { useState } from "react";
import { loadPart } from "@/app/_ui/loading/load-part";
import { FieldTable } from "@/app/_versions/field-table";
import { OverlayPicture } from "@/app/_versions/overlay-picture";
import { countNouns } from "@/lib/core/flow/format-count";
import { countChanges, diffFlows } from "@/lib/core/source/query/diff-flows";
import { readSource } from "@/lib/core/source/read-source";
import type { ComparedRevision } from "@/lib/server/flows/compare-revisions";
import type { DiffMode } from "./modes";

const TextDiff = dynamic(() => loadPart(() => import("../../_editor/panels/versions/text-diff")), { ssr: false });

interface DiffContentProps {
  before: ComparedRevision;
  after: ComparedRevision;
  mode: DiffMode;
}

const toSource = ({ source, layout }: ComparedRevision) => ({ text: source, flow: readSource(source).flow, layout });

export default function DiffContent({ before, after, mode }: DiffContentProps) {
  const [sources] = useState(() => ({ before: toSource(before), after: toSource(after) }));
  const [diff] = useState(() => diffFlows(sources.before.flow, sources.after.flow));
  return (
    <>
      <p role="status" className="font-medium">
        {before.source === after.source ? "The texts are the same." : countNouns(countChanges(diff), "difference")}
      </p>
      {mode === "text" ? (
        <div className="h-[70dvh] rounded-md bg-surface">
          <TextDiff before={before.source} after={after.source} />
        </div>
      ) : mode === "fields" ? (
        <FieldTable diff={diff} isSameText={before.source === after.source} />
      ) : (
        <OverlayPicture
          before={sources.before}
          after={sources.after}
          className="min-h-0 flex-1 max-md:flex-none max-md:[&_svg]:h-auto"
        />
      )}
    </>
  );
}
