import type { ExportSource } from "@/lib/core/source/formats/export/exported";
import { drawOverlay } from "@/lib/core/source/formats/export/svg/export-svg";
import type { NodeChangeType } from "@/lib/core/source/query/diff-flows";
import { FlowPicture } from "../_formats/flow-picture";
import { currentTheme } from "../_formats/picture";
import { changeStyles } from "./change-styles";

interface OverlayPictureProps {
  before: ExportSource;
  after: ExportSource;
  className: string;
}

const pictureSizes = { narrow: { width: 300, height: 400 }, wide: { width: 1200, height: 600 } } as const;
const shownTypes: readonly NodeChangeType[] = ["added", "removed", "changed", "renamed"];

/** The newer flow with everything that differs from the older one marked in it. */
export function OverlayPicture({ before, after, className }: OverlayPictureProps) {
  const view = innerWidth < 768 ? pictureSizes.narrow : pictureSizes.wide;
  const svg = drawOverlay(before, after, { theme: currentTheme(), view });
  return (
    <figure className="flex min-h-0 min-w-0 flex-1 flex-col gap-2">
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {shownTypes.map((type) => {
          const { icon: Icon, word, color } = changeStyles[type];
          return (
            <span key={type} className={`flex items-center gap-1 font-medium ${color}`}>
              <Icon size={13} aria-hidden /> {word}
            </span>
          );
        })}
        <span className="text-text-muted">Removed links are dashed.</span>
      </figcaption>
      <FlowPicture svg={svg} name="what differs" className={className} />
    </figure>
  );
}
