import type { KeyboardEvent } from "react";
import { singleKeysAreOn } from "@/app/_ui/keys/single-keys";
import { outlineFlow } from "@/lib/core/layout/outline";
import { findNeighbour, findOutermost } from "../navigation/navigation";
import { type KeyStroke, type NavigationKey, readNavigationKey } from "../navigation/navigation-keys";
import { activeKey } from "../state/active-node";
import type { PictureSession } from "./picture-session";

export const zoomStep = 1.25;

export type PictureKey = NavigationKey | { type: "zoom"; by: number };

const zooms: ReadonlyMap<string, PictureKey> = new Map<string, PictureKey>([
  ["+", { type: "zoom", by: zoomStep }],
  ["=", { type: "zoom", by: zoomStep }],
  ["-", { type: "zoom", by: 1 / zoomStep }],
  ["0", { type: "actual-size" }],
]);

/** Returns null for key strokes without a meaning on a flow picture. */
export function readPictureKey(stroke: KeyStroke, singleKeys = true): PictureKey | null {
  const isModified = stroke.ctrlKey || stroke.metaKey || stroke.altKey;
  const zoom = isModified || !singleKeys ? undefined : zooms.get(stroke.key);
  return zoom ?? readNavigationKey(stroke);
}

export const pictureKeys =
  (picture: PictureSession) =>
  (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.target !== event.currentTarget || event.defaultPrevented) return;
    const key = readPictureKey(event, singleKeysAreOn());
    if (!key || !pressPictureKey(key, picture)) return;
    event.preventDefault();
    event.stopPropagation();
  };

/** Returns false when there was nothing to do. */
export function pressPictureKey(key: PictureKey, picture: PictureSession): boolean {
  const { camera, editor } = picture;
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
      camera.fit();
      return true;
    case "fit-selection":
      camera.fit(selection);
      return true;
    case "actual-size":
      camera.showActualSize();
      return true;
    case "zoom":
      camera.zoomBy(key.by);
      return true;
  }
}

function go(picture: PictureSession, key: string | null): boolean {
  if (key === null) return false;
  picture.choose(key);
  picture.camera.reveal(key);
  return true;
}
