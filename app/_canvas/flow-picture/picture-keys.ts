import type { KeyboardEvent } from "react";
import { findBinding, type KeyChord, type KeyStroke } from "@/app/_ui/keys/key-chord";
import { singleKeysAreOn } from "@/app/_ui/keys/single-keys";
import { findNeighbour, findOutermost } from "../navigation/navigation";
import { activeKey } from "../state/active-node";
import { zoomStep } from "../state/camera";
import type { FlowState } from "../state/flow-state";
import type { PictureSession } from "./picture-session";

/** Returns false when there was nothing to do. */
type PictureKey = (picture: PictureSession) => boolean;

const go =
  (find: (state: FlowState, active: string | null) => string | null): PictureKey =>
  (picture) => {
    const key = find(picture.editor.store.getState(), activeKey(picture));
    if (key === null) return false;
    picture.choose(key);
    picture.camera.reveal(key);
    return true;
  };

const look =
  (turn: (picture: PictureSession) => void): PictureKey =>
  (picture) => {
    turn(picture);
    return true;
  };
const showActualSize = look(({ camera }) => camera.showActualSize());
const zoomIn = look(({ camera }) => camera.zoomBy(zoomStep));

function deselect(picture: PictureSession): boolean {
  const isActive = activeKey(picture) !== null;
  if (isActive) picture.choose(null);
  return isActive;
}

const moves = (
  [
    ["↓", "down"],
    ["↑", "up"],
    ["→", "right"],
    ["←", "left"],
  ] as const
).flatMap(([arrow, direction]): [KeyChord, PictureKey][] => {
  const move = go((state, active) => findNeighbour(state, active, direction));
  return [
    [arrow, move],
    [`Shift ${arrow}`, move],
  ];
});

const bindings: ReadonlyMap<KeyChord, PictureKey> = new Map([
  ...moves,
  ["Home", go((state) => findOutermost(state, false))],
  ["End", go((state) => findOutermost(state, true))],
  ["Enter", go((state, active) => active ?? findOutermost(state, false))],
  ["Esc", deselect],
  ["Shift 1", look(({ camera }) => camera.fit())],
  ["Shift 2", look(({ camera, editor }) => camera.fit(editor.store.getState().selection))],
  ["Ctrl 0", showActualSize],
  ["0", showActualSize],
  ["+", zoomIn],
  ["=", zoomIn],
  ["-", look(({ camera }) => camera.zoomBy(1 / zoomStep))],
]);

/** Null for key strokes without a meaning on a flow picture. */
export const findPictureKey = (stroke: KeyStroke, singleKeys = true): PictureKey | null =>
  findBinding(bindings, stroke, { scope: "canvas", singleKeys });

export const pictureKeys =
  (picture: PictureSession) =>
  (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.target !== event.currentTarget || event.defaultPrevented) return;
    if (!findPictureKey(event, singleKeysAreOn())?.(picture)) return;
    event.preventDefault();
    event.stopPropagation();
  };
