import { useStore as useFlowStore } from "@xyflow/react";
import { FlaskConical, Maximize2, MessageSquareText, Minimize2 } from "lucide-react";
import { type CSSProperties, useState } from "react";
import { boundsOfAll, findNotesIn } from "@/app/_canvas/scene/notes";
import { createServerRunSource } from "@/app/_run/steps/run-source";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import { LazyMarkdown, LazyPlainMarkdown } from "@/app/_ui/text/lazy-markdown";
import { countNouns } from "@/lib/core/flow/format-count";
import { keyOfPath, type NodeKey, parentKey } from "@/lib/core/flow/node-key";
import { type ArrangedNode, type Arrangement, diamondBoxOf, hasDiamond } from "@/lib/core/layout/arrangement";
import {
  boundsOf,
  type CanvasBox,
  overlaps,
  toCanvasBox,
  toScreenBox,
  toVisibleBox,
} from "@/lib/core/layout/scene/canvas-box";
import { countLinksIn } from "@/lib/core/layout/scene/list-links";
import { indexNodes, lineageOf } from "@/lib/core/layout/scene/node-index";
import { sceneOf } from "@/lib/core/layout/scene/scene";
import { splitSimulatedLabel } from "@/lib/core/run/events/simulated-label";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { findAnswerSteps } from "@/lib/core/trace/timeline/find-answer-steps";
import { useEditorState, useShownRun } from "../../state/session-context";
import {
  closedHeight,
  closedWidth,
  controlsHeight,
  fitClosedAnswer,
  fitOpenAnswer,
  gap,
  hasRoomForOpenAnswer,
  lineHeight,
  margin,
} from "./fit-answer";
import { type AnswerSide, placeAnswer } from "./place-answer";

const rootStep = 1;
/** Below it the cards are too small to hang a text on. */
const smallestZoom = 0.4;

/** The answer of a run that has succeeded, beside the step that gave it. */
export default function AnswerCard() {
  const runId = useShownRun((shown) => (shown?.trace?.run.status === "SUCCESS" ? shown.id : null));
  const trace = useShownRun((shown) => shown?.trace ?? null);
  const arrangement = useEditorState((state) => state.arrangement);
  const authors = runId === null || trace === null ? [] : findAuthorNodes(trace, arrangement);
  return runId !== null && authors.length > 0 ? <Answer key={runId} runId={runId} authors={authors} /> : null;
}

/** An agent in a folded group is drawn as that group; one that the flow has no more is left out. */
function findAuthorNodes(trace: TraceView, arrangement: Arrangement): ArrangedNode[] {
  const nodes = indexNodes(arrangement);
  const drawn = new Set<ArrangedNode>();
  for (const step of findAnswerSteps(trace)) {
    let key: NodeKey = keyOfPath(trace.pathOf(step));
    while (key !== "" && !nodes.has(key)) key = parentKey(key);
    const node = nodes.get(key);
    if (node) drawn.add(node);
  }
  return [...drawn];
}

function Answer({ runId, authors }: { runId: string; authors: readonly ArrangedNode[] }) {
  const [source] = useState(() => createServerRunSource(runId));
  const { value: step } = useLoaded({ key: runId }, (signal) => source.node(rootStep, signal));
  const [isOpen, setOpen] = useState(false);
  const placed = useAnswerBox(authors, isOpen);
  const text = step?.output.text ?? "";
  const names = authors.map(({ name }) => name).join(", ");
  const { isSimulated, content } = splitSimulatedLabel(text);
  if (text === "" || !placed) return null;
  if (placed === "chip") return <AnswerChip names={names} onOpen={() => setOpen(true)} />;
  const { box, line } = placed;
  return (
    <div className="pointer-events-none absolute inset-0 z-[6] overflow-hidden">
      {line && <div className="absolute border-link-taken border-t-2 border-l-2 border-dotted" style={line} />}
      <section
        aria-label="Answer"
        className="pointer-events-auto absolute rounded-lg border border-accent/50 bg-accent-soft p-3 shadow-card"
        style={{ left: box.x, width: box.width, ...placed.upright }}
      >
        <header className="-mt-1 -mr-1 mb-0.5 flex items-center gap-1.5 text-xs">
          <h3 className="min-w-0 truncate font-semibold" title={`Answer of ${names}`}>
            Answer of {names}
          </h3>
          {isSimulated && (
            <FlaskConical size={12} role="img" aria-label="Simulated" className="shrink-0 text-text-muted" />
          )}
          <span className="shrink-0 text-text-muted">{describeLength(content, step?.output.length)}</span>
          <IconButton
            label={isOpen ? "Shorten the answer" : "Show the whole answer"}
            aria-expanded={isOpen}
            className="ml-auto size-6 shrink-0"
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <Minimize2 size={13} aria-hidden /> : <Maximize2 size={13} aria-hidden />}
          </IconButton>
        </header>
        {isOpen ? (
          <div
            tabIndex={0}
            role="region"
            aria-label="Text of the answer"
            style={{ maxHeight: box.textHeight }}
            className="overflow-y-auto text-xs"
          >
            <LazyMarkdown text={text} />
          </div>
        ) : (
          <p style={{ WebkitLineClamp: box.textHeight / lineHeight }} className="line-clamp-4 text-xs leading-4">
            <LazyPlainMarkdown text={content} />
          </p>
        )}
      </section>
    </div>
  );
}

/** In the row of the controls at the top, where no step is in the usual views. */
const AnswerChip = ({ names, onOpen }: { names: string; onOpen(): void }) => (
  <div className="pointer-events-none absolute inset-0 z-[6]">
    <button
      type="button"
      aria-label={`Show the answer of ${names}`}
      onClick={onOpen}
      className="pointer-events-auto absolute top-3 right-3 flex h-8 items-center gap-1.5 rounded-lg border border-accent/50 bg-accent-soft px-2.5 font-medium text-xs shadow-card"
    >
      <MessageSquareText size={14} aria-hidden /> Answer
    </button>
  </div>
);

/**
 * In pixels of the screen. `line`: from the step to its answer; null: they are apart. "chip": there is no room for a closed
 * answer, but for an open one. Null: there is none for either.
 */
function useAnswerBox(authors: readonly ArrangedNode[], isOpen: boolean) {
  const [x, y, zoom] = useFlowStore((state) => state.transform);
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const arrangement = useEditorState((state) => state.arrangement);
  const layout = useEditorState((state) => state.layout);
  const origin = authors.length > 1 ? boundsOf(authors) : authors[0];
  const bounds = boundsOfAll({ arrangement, layout });
  if (!origin || !bounds) return null;
  const step = toScreenBox(origin, { x, y, zoom });
  const chip = hasRoomForOpenAnswer({ width, height }) ? "chip" : null;
  if (isOpen) {
    const box = fitOpenAnswer(step, { width, height }, (screenBox) =>
      countCardsIn(arrangement, toCanvasBox(screenBox, { x, y, zoom })),
    );
    return box && { box, upright: toUpright(box, height), line: box.side && toLine(step, box.side) };
  }
  if (zoom < smallestZoom) return chip;
  const viewport = { x: x - margin, y: y - controlsHeight, zoom };
  const place = placeAnswer(origin, {
    size: { width: closedWidth / zoom, height: closedHeight / zoom },
    gap: gap / zoom,
    visible: toVisibleBox(viewport, width - 2 * margin, height - 2 * controlsHeight),
    bounds,
    inputSides: authors.map((author) => inputSideOf[author.direction ?? arrangement.direction]),
    isFree: (box) => isFreeOf(arrangement, authors, box) && findNotesIn(layout.notes, box).length === 0,
    countLinks: (box) => countLinksIn(arrangement, box),
  });
  const box = fitClosedAnswer({ x: place.x * zoom + x, y: place.y * zoom + y }, { width, height });
  return box ? { box, upright: { top: box.y }, line: place.side && toLine(step, place.side) } : chip;
}

const inputSideOf = { right: "left", down: "above" } as const;

function countCardsIn(arrangement: Arrangement, box: CanvasBox): number {
  const scene = sceneOf(arrangement);
  return scene.findIn(box).filter((position) => scene.nodes[position]?.frame === false).length;
}

/** An answer above its step ends there, however short it is. */
const toUpright = ({ side, y }: { side: AnswerSide | null; y: number }, areaHeight: number): CSSProperties =>
  side === "above" ? { bottom: areaHeight - y } : { top: y };

/** Frames around the step are free, but for their diamonds. */
function isFreeOf(arrangement: Arrangement, authors: readonly ArrangedNode[], box: CanvasBox): boolean {
  const nodes = indexNodes(arrangement);
  const around = new Set(authors.flatMap(({ key }) => lineageOf(nodes, key)));
  const scene = sceneOf(arrangement);
  return scene.findIn(box).every((position) => {
    const node = scene.nodes[position];
    if (!node) return true;
    if (!node.frame || !around.has(node)) return false;
    return !hasDiamond(node) || !overlaps(diamondBoxOf(node, arrangement.direction === "down"), box);
  });
}

function toLine({ x, y, width: across, height: down }: CanvasBox, side: AnswerSide): CSSProperties {
  const [middleX, middleY] = [x + across / 2 - 1, y + down / 2 - 1];
  switch (side) {
    case "below":
      return { left: middleX, top: y + down, width: 0, height: gap, borderTopWidth: 0 };
    case "above":
      return { left: middleX, top: y - gap, width: 0, height: gap, borderTopWidth: 0 };
    case "right":
      return { left: x + across, top: middleY, width: gap, height: 0, borderLeftWidth: 0 };
    case "left":
      return { left: x - gap, top: middleY, width: gap, height: 0, borderLeftWidth: 0 };
  }
}

const describeLength = (text: string, length: number | undefined): string =>
  length === undefined ? countNouns(text.match(/\S+/g)?.length ?? 0, "word") : "";
