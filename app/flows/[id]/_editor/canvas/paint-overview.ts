import type { StoreApi } from "zustand/vanilla";
import type { NodeKey } from "@/lib/core/flow/keys";
import type { Problem } from "@/lib/core/flow/problem";
import type { Session } from "../session";
import { type Colors, readColors, watchTheme } from "./colors";
import { drawScene, type Picture, redrawCards } from "./draw-scene";
import type { Overlay } from "./overlay";
import { type Scene, sceneOf } from "./scene";

/** What the view of React Flow's store says. */
export interface FlowView {
  getState(): { transform: [x: number, y: number, zoom: number]; width: number; height: number };
  subscribe(listener: () => void): () => void;
}

/**
 * Keeps the picture of what is in view up to date while it is wanted, at most once a frame, until the returned function
 * is called. Where only statuses changed, only their cards are drawn again.
 */
export function paintOverview(
  canvas: HTMLCanvasElement,
  { editor, canvas: stage, statuses }: Session,
  overlay: StoreApi<Overlay>,
  flow: FlowView,
): () => void {
  const context = canvas.getContext("2d");
  if (!context) return () => {};
  let colors: Colors | null = null;
  let frame = 0;
  let whole = true;
  const changed = new Set<NodeKey>();

  const paint = (): void => {
    frame = 0;
    const { covered } = stage.getState();
    canvas.hidden = !covered;
    if (!covered) return;
    const { transform, width, height } = flow.getState();
    if (fitPixels(canvas, width, height)) whole = true;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    const state = editor.store.getState();
    colors ??= readColors(canvas);
    const picture: Picture = {
      context,
      scene: sceneOf(state.arrangement),
      colors,
      statuses: statuses.getState(),
      selection: new Set(state.selection),
      broken: findBroken(state.problems),
      viewport: { x: transform[0], y: transform[1], zoom: transform[2] },
      width,
      height,
      held: overlay.getState().held,
    };
    if (whole) drawScene(picture);
    else redrawCards(picture, positionsOf(changed, picture.scene));
    whole = false;
    changed.clear();
  };
  const paintSoon = (): void => {
    frame ||= requestAnimationFrame(paint);
  };
  const paintAll = (): void => {
    whole = true;
    paintSoon();
  };

  paintAll();
  const stops = [
    flow.subscribe(watchChange(() => flow.getState(), viewOf, paintAll)),
    stage.subscribe(
      watchChange(
        () => stage.getState(),
        ({ covered }) => [covered],
        paintAll,
      ),
    ),
    editor.store.subscribe(
      watchChange(
        () => editor.store.getState(),
        ({ arrangement, selection, problems }) => [arrangement, selection, problems],
        paintAll,
      ),
    ),
    overlay.subscribe(
      watchChange(
        () => overlay.getState(),
        ({ held }) => [held],
        paintAll,
      ),
    ),
    watchTheme(() => {
      colors = null;
      paintAll();
    }),
    statuses.subscribe((now, before) => {
      if (now.size < before.size) paintAll();
      for (const [key, status] of now) if (status !== before.get(key)) changed.add(key);
      if (changed.size > 0) paintSoon();
    }),
  ];
  return () => {
    cancelAnimationFrame(frame);
    for (const stop of stops) stop();
  };
}

const viewOf = ({ transform, width, height }: ReturnType<FlowView["getState"]>): unknown[] => [
  transform,
  width,
  height,
];

/** Calls back when one of the values that `select` names is another one. */
export function watchChange<T>(read: () => T, select: (state: T) => unknown[], onChange: () => void): () => void {
  let last = select(read());
  return () => {
    const now = select(read());
    if (now.every((value, index) => Object.is(value, last[index]))) return;
    last = now;
    onChange();
  };
}

/** Gives the canvas one pixel for each of the screen; true when that changed (and emptied) it. */
export function fitPixels(canvas: HTMLCanvasElement, width: number, height: number): boolean {
  const [columns, rows] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
  if (canvas.width === columns && canvas.height === rows) return false;
  canvas.width = columns;
  canvas.height = rows;
  return true;
}

export const positionsOf = (keys: ReadonlySet<NodeKey>, scene: Scene): number[] =>
  [...keys].flatMap((key) => scene.positions.get(key) ?? []);

/** The nodes that errors point at. */
export const findBroken = (problems: readonly Problem[]): ReadonlySet<NodeKey> =>
  new Set(problems.flatMap(({ severity, nodes }) => (severity === "error" ? (nodes ?? []) : [])));
