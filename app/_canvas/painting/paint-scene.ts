import type { CanvasSession } from "@/app/_canvas/state/canvas-session";
import { watchTheme } from "@/app/_ui/theme/watch-theme";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { Problem } from "@/lib/core/flow/problem";
import { type Scene, sceneOf } from "../scene/scene";
import { type Colors, readColors } from "./colors";
import { drawScene, type Picture, redrawCards } from "./draw-scene";
import { Specks } from "./pixel-dots";

/** From where a picture is seen. */
export interface Looking {
  x: number;
  y: number;
  zoom: number;
  /** Of the picture, in CSS pixels. */
  width: number;
  height: number;
  held: Picture["held"];
}

export interface View {
  /** Null: no picture is wanted just now. */
  read(): Looking | null;
  /** Calls back when `read` may say something new. */
  subscribe(listener: () => void): () => void;
}

/** Changes of statuses are drawn together, as long as nobody can tell. */
const changesMs = 50;

/**
 * Keeps a picture of the flow up to date, at most once a frame, until the returned function is called. Where only statuses
 * changed, only their cards are drawn again.
 */
export function paintScene(canvas: HTMLCanvasElement, { editor, statuses }: CanvasSession, view: View): () => void {
  const context = canvas.getContext("2d");
  if (!context) return () => {};
  const specks = new Specks();
  let colors: Colors | null = null;
  let last = view.read();
  let frame = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let whole = true;
  const changed = new Set<NodeKey>();

  const paint = (): void => {
    frame = 0;
    canvas.hidden = last === null;
    if (last === null) return;
    if (fitPixels(canvas, last)) whole = true;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    const state = editor.store.getState();
    colors ??= readColors(canvas);
    const { width, height, held, ...viewport } = last;
    const picture: Picture = {
      context,
      scene: sceneOf(state.arrangement),
      notes: state.layout.notes,
      colors,
      statuses: statuses.getState(),
      specks,
      selection: new Set(state.selection),
      broken: new Set(listBroken(state.problems)),
      viewport,
      width,
      height,
      held,
    };
    if (whole) drawScene(picture);
    else redrawCards(picture, positionsOf(changed, picture.scene));
    whole = false;
    changed.clear();
  };
  const paintSoon = (): void => {
    frame ||= requestAnimationFrame(paint);
  };
  const paintChanged = (): void => {
    pause = undefined;
    paintSoon();
  };
  const paintAll = (): void => {
    whole = true;
    paintSoon();
  };

  paintAll();
  const stops = [
    view.subscribe(() => {
      const now = view.read();
      const isSame = isSameView(now, last);
      last = now;
      if (!isSame) paintAll();
    }),
    editor.store.subscribe((now, before) => {
      if (
        now.arrangement === before.arrangement &&
        now.layout.notes === before.layout.notes &&
        now.selection === before.selection &&
        breaksTheSame(now.problems, before.problems)
      )
        return;
      last = view.read();
      paintAll();
    }),
    watchTheme(() => {
      colors = null;
      paintAll();
    }),
    statuses.subscribe((now, before) => {
      let kept = 0;
      for (const [key, status] of now) {
        const old = before.get(key);
        if (old !== undefined) kept++;
        if (status !== old) changed.add(key);
      }
      if (kept < before.size || (before.size === 0 && now.size > 0)) paintAll();
      if (changed.size > 0) pause ??= setTimeout(paintChanged, changesMs);
    }),
  ];
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(pause);
    for (const stop of stops) stop();
  };
}

const isSameView = (a: Looking | null, b: Looking | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.x === b.x &&
    a.y === b.y &&
    a.zoom === b.zoom &&
    a.width === b.width &&
    a.height === b.height &&
    a.held === b.held);

/** Gives the canvas one pixel for each of the screen; true when that changed (and emptied) it. */
function fitPixels(canvas: HTMLCanvasElement, { width, height }: Looking): boolean {
  const [columns, rows] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
  if (canvas.width === columns && canvas.height === rows) return false;
  canvas.width = columns;
  canvas.height = rows;
  return true;
}

const positionsOf = (keys: ReadonlySet<NodeKey>, scene: Scene): number[] =>
  [...keys].flatMap((key) => scene.positions.get(key) ?? []);

/** The nodes that errors point at. */
const listBroken = (problems: readonly Problem[]): NodeKey[] =>
  problems.flatMap(({ severity, nodes }) => (severity === "error" ? (nodes ?? []) : []));

/** Typing finds the problems anew; most keys leave the picture as it is. */
const breaksTheSame = (now: readonly Problem[], before: readonly Problem[]): boolean =>
  now === before || listBroken(now).join("\n") === listBroken(before).join("\n");
