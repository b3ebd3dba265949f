import { shallow } from "zustand/shallow";
import { watchTheme } from "@/app/_ui/theme/watch-theme";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { Problem } from "@/lib/core/flow/problem";
import { type Scene, sceneOf } from "@/lib/core/layout/scene/scene";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import type { CanvasSession } from "../state/canvas-session";
import type { FlowState } from "../state/flow-state";
import { readSceneColors, type SceneColors } from "./colors";
import { drawScene, redrawCards } from "./draw-scene";
import { PixelDots } from "./pixel-dots";
import type { SceneDrawing, Viewpoint } from "./scene-drawing";

export interface ViewpointSource {
  /** Null while the picture is hidden. */
  read(): Viewpoint | null;
  subscribe(listener: () => void): () => void;
}

const statusDelayMs = 50;

/** Repaints the flow at most once a frame, after status changes only the affected cards, until the returned function is called. */
export function paintScene(canvas: HTMLCanvasElement, session: CanvasSession, source: ViewpointSource): () => void {
  const context = canvas.getContext("2d");
  if (!context) return () => {};
  const painter = createPainter(context, session, source);
  painter.paintAll();
  const stops = [
    source.subscribe(() => {
      if (painter.updateViewpoint()) painter.paintAll();
    }),
    session.editor.store.subscribe((now, before) => {
      if (!changesScene(now, before)) return;
      painter.updateViewpoint();
      painter.paintAll();
    }),
    watchTheme(painter.resetColors),
    session.statuses.subscribe(painter.paintStatuses),
  ];
  return () => {
    painter.stop();
    for (const stop of stops) stop();
  };
}

function createPainter(context: CanvasRenderingContext2D, session: CanvasSession, source: ViewpointSource) {
  const { canvas } = context;
  const pixelDots = new PixelDots();
  const changedKeys = new Set<NodeKey>();
  let colors: SceneColors | null = null;
  let viewpoint = source.read();
  let frame = 0;
  let statusTimer: ReturnType<typeof setTimeout> | undefined;
  let repaintsAll = true;

  const paint = (): void => {
    frame = 0;
    canvas.hidden = viewpoint === null;
    if (viewpoint === null) return;
    if (fitPixels(canvas, viewpoint)) repaintsAll = true;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    colors ??= readSceneColors(canvas);
    const drawing: SceneDrawing = { context, colors, pixelDots, ...toDrawingData(session), ...viewpoint };
    if (repaintsAll) drawScene(drawing);
    else redrawCards(drawing, positionsOf(changedKeys, drawing.scene));
    repaintsAll = false;
    changedKeys.clear();
  };
  const paintSoon = (): void => {
    frame ||= requestAnimationFrame(paint);
  };
  const paintAll = (): void => {
    repaintsAll = true;
    paintSoon();
  };

  return {
    paintAll,
    updateViewpoint(): boolean {
      const previous = viewpoint;
      viewpoint = source.read();
      return !shallow(viewpoint, previous);
    },
    resetColors(): void {
      colors = null;
      paintAll();
    },
    paintStatuses(now: NodeStatuses, before: NodeStatuses): void {
      if (addChangedKeys(now, before, changedKeys)) paintAll();
      if (changedKeys.size > 0)
        statusTimer ??= setTimeout(() => {
          statusTimer = undefined;
          paintSoon();
        }, statusDelayMs);
    },
    stop(): void {
      cancelAnimationFrame(frame);
      clearTimeout(statusTimer);
    },
  };
}

/** Returns true when the statuses were replaced: another run, or the first of a run. */
function addChangedKeys(now: NodeStatuses, before: NodeStatuses, changedKeys: Set<NodeKey>): boolean {
  let remaining = 0;
  for (const [key, status] of now) {
    const previous = before.get(key);
    if (previous !== undefined) remaining++;
    if (status !== previous) changedKeys.add(key);
  }
  return remaining < before.size || (before.size === 0 && now.size > 0);
}

function toDrawingData({ editor, statuses }: CanvasSession) {
  const { arrangement, layout, selection, problems } = editor.store.getState();
  return {
    scene: sceneOf(arrangement),
    notes: layout.notes,
    statuses: statuses.getState(),
    selection: new Set(selection),
    broken: new Set(listBroken(problems)),
  };
}

const changesScene = (now: FlowState, before: FlowState): boolean =>
  now.arrangement !== before.arrangement ||
  now.layout.notes !== before.layout.notes ||
  now.selection !== before.selection ||
  !breaksTheSame(now.problems, before.problems);

/** Returns true when the size changed, which clears the canvas. */
function fitPixels(canvas: HTMLCanvasElement, { width, height }: Viewpoint): boolean {
  const [columns, rows] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
  if (canvas.width === columns && canvas.height === rows) return false;
  canvas.width = columns;
  canvas.height = rows;
  return true;
}

const positionsOf = (keys: ReadonlySet<NodeKey>, scene: Scene): number[] =>
  [...keys].flatMap((key) => scene.positions.get(key) ?? []);

const listBroken = (problems: readonly Problem[]): NodeKey[] =>
  problems.flatMap(({ severity, nodes }) => (severity === "error" ? (nodes ?? []) : []));

/** Each key stroke replaces the problems; most leave the picture unchanged. */
const breaksTheSame = (now: readonly Problem[], before: readonly Problem[]): boolean =>
  now === before || listBroken(now).join("\n") === listBroken(before).join("\n");
