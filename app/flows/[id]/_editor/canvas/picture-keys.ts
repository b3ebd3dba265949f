import type { KeyboardEvent } from "react";
import { singleKeysAreOn } from "@/app/_ui/single-keys";
import { outlineFlow } from "@/lib/core/layout/outline";
import { activeKey } from "./active-node";
import { type CanvasKey, readCanvasKey, type Stroke } from "./canvas-keys";
import { findNeighbour, findOutermost } from "./navigation";
import type { Picture } from "./picture";

/** How much one step of zooming comes nearer; one back goes as far away. */
export const zoomStep = 1.25;

/** What a key asks for where nothing can be changed. */
export type PictureKey =
  | Extract<CanvasKey, { type: "move" | "edge" }>
  | { type: "open" | "escape" | "fit" | "fit-selection" | "actual-size" }
  | { type: "zoom"; by: number };

const zooms: ReadonlyMap<string, PictureKey> = new Map<string, PictureKey>([
  ["+", { type: "zoom", by: zoomStep }],
  ["=", { type: "zoom", by: zoomStep }],
  ["-", { type: "zoom", by: 1 / zoomStep }],
  ["0", { type: "actual-size" }],
]);

/** Reads a key stroke as the canvas of an editor does, of what changes nothing; null: the picture has no use for it. */
export function readPictureKey(stroke: Stroke, singleKeys = true): PictureKey | null {
  const modified = stroke.ctrlKey || stroke.metaKey || stroke.altKey;
  const zoom = modified || !singleKeys ? undefined : zooms.get(stroke.key);
  if (zoom) return zoom;
  const key = readCanvasKey(stroke, singleKeys);
  switch (key?.type) {
    case "move":
    case "edge":
      return key;
    case "open":
    case "escape":
    case "fit":
    case "fit-selection":
    case "actual-size":
      return { type: key.type };
    default:
      return null;
  }
}

/** The keyboard's part of a picture. What it has no use for is left to the page. */
export const pictureKeys =
  (picture: Picture) =>
  (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.target !== event.currentTarget || event.defaultPrevented) return;
    const key = readPictureKey(event, singleKeysAreOn());
    if (!key || !pressPictureKey(key, picture)) return;
    event.preventDefault();
    event.stopPropagation();
  };

/** Does what a key asks for; false: there was nothing to do. */
export function pressPictureKey(key: PictureKey, picture: Picture): boolean {
  const { editor, view } = picture;
  const { flow, layout, selection } = editor.store.getState();
  const outline = () => outlineFlow(flow, layout.notes);
  const active = activeKey(picture);
  switch (key.type) {
    case "move":
      return go(picture, findNeighbour(outline(), active, key.direction));
    case "edge":
      return go(picture, findOutermost(outline(), key.last));
    case "open":
      return go(picture, active ?? findOutermost(outline(), false));
    case "escape":
      if (active !== null) picture.choose(null);
      return active !== null;
    case "fit":
      view.setState({ fit: {} });
      return true;
    case "fit-selection":
      view.setState({ fit: { keys: selection } });
      return true;
    case "actual-size":
      view.setState({ fit: { actualSize: true } });
      return true;
    case "zoom":
      view.setState({ fit: { zoomBy: key.by } });
      return true;
  }
}

function go(picture: Picture, key: string | null): boolean {
  if (key === null) return false;
  picture.choose(key);
  picture.editor.reveal(key);
  return true;
}
