import type { FlowThumbnail, ThumbnailBlocks } from "@/lib/core/layout/thumbnail/thumbnail";
import { agentColor } from "../../_ui/agent-color";
import { toPaths } from "./thumbnail-paths";
import "./thumbnail.css";

const margin = 4;

/** The small picture of a flow, on dotted paper; decorative: its name is beside it. Fills its parent. */
export function FlowThumbnailPicture({ picture }: { picture: FlowThumbnail | null }) {
  return <div className="flow-thumbnail">{picture && <Picture {...picture} />}</div>;
}

function Picture(picture: FlowThumbnail) {
  if (picture.type === "blocks") return <Blocks {...picture} />;
  return picture.nodes.length === 0 ? <EmptyPicture /> : <Drawing {...picture} />;
}

/** A card that is still to come, with a plus. */
const EmptyPicture = () => (
  <svg aria-hidden width={94} height={44} viewBox="-1 -1 94 44">
    <path d="M9 0H83q9 0 9 9V33q0 9 -9 9H9q-9 0 -9 -9V9q0 -9 9 -9Z" className="thumbnail-ghost" />
    <path d="M46 14v14M39 21h14" className="thumbnail-plus" />
  </svg>
);

function Drawing(picture: Extract<FlowThumbnail, { type: "drawing" }>) {
  const width = picture.width + 2 * margin;
  const height = picture.height + 2 * margin;
  const paths = toPaths(picture);
  return (
    <svg
      aria-hidden
      width={width}
      height={height}
      viewBox={`${-margin} ${-margin} ${width} ${height}`}
      className="max-h-full max-w-full"
    >
      {paintOrder.flatMap((style) => {
        const path = paths.get(style);
        return path === undefined
          ? []
          : [<path key={style} d={path} className={`thumbnail-${style}`} {...fillOf(style)} />];
      })}
    </svg>
  );
}

const colors = Array.from({ length: 8 }, (_, color) => `color-${color}`);
const paintOrder = [
  ...["frame", "dashed", "link", "head", "ring", "ghost", "control", "person", "card", "line", "color--1"],
  ...colors,
];

const fillOf = (style: string) =>
  colors.includes(style) ? { style: { fill: agentColor(colors.indexOf(style)) } } : {};

const [pitch, blockWidth, rowHeight] = [13, 11, 24];

/** Rows of columns: a square for a single agent, slices for agents side by side. */
function Blocks({ columns }: ThumbnailBlocks) {
  const perRow = Math.max(12, Math.ceil(Math.sqrt(columns.length * 4)));
  const rows = Math.ceil(columns.length / perRow);
  return (
    <svg
      aria-hidden
      width={perRow * pitch}
      height={rows * rowHeight}
      viewBox={`-1 -2 ${perRow * pitch + 2} ${rows * rowHeight}`}
      className="max-h-full max-w-full"
    >
      {Array.from(toBlockPaths(columns, perRow), ([color, path]) => (
        <path key={color} d={path} fill={agentColor(color)} />
      ))}
    </svg>
  );
}

/** Path data by colour. */
function toBlockPaths(columns: readonly string[], perRow: number): Map<number, string> {
  const paths = new Map<number, string>();
  columns.forEach((column, index) => {
    const [x, y] = [(index % perRow) * pitch, Math.floor(index / perRow) * rowHeight];
    Array.from(column, Number).forEach((color, slice) => {
      const block =
        column.length === 1
          ? `M${x + 1.5} ${y + 6}h8v8h-8Z`
          : `M${x} ${y + 10 - column.length * 2.5 + slice * 5}h${blockWidth}v4h${-blockWidth}Z`;
      paths.set(color, (paths.get(color) ?? "") + block);
    });
  });
  return paths;
}
