import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from "react";
import { type PaneLimits, sizeByKey, toPaneSize } from "./pane-size";

interface PaneSize extends PaneLimits {
  size: number;
  onSize(size: number): void;
}

export interface DividerProps {
  label: string;
  side: "left" | "right" | "below";
  pane: RefObject<HTMLElement | null>;
  paneSize: PaneSize;
  /** Shrinks when the pane grows. */
  neighbour: { element: RefObject<HTMLElement | null>; min: number };
}

export function Divider({ label, side, pane, paneSize, neighbour }: DividerProps) {
  const { size, onSize, min, max } = paneSize;
  const drag = useRef<{ position: number; size: number } | null>(null);
  const isFlat = side === "below";
  const measure = (element: HTMLElement | null): number => (isFlat ? element?.offsetHeight : element?.offsetWidth) ?? 0;
  const positionOf = (event: PointerEvent): number => (isFlat ? event.clientY : event.clientX);
  const grow = (targetSize: number): void =>
    onSize(
      toPaneSize(targetSize, measure(pane.current), { min, max }, measure(neighbour.element.current) - neighbour.min),
    );
  const press = (event: PointerEvent): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { position: positionOf(event), size: measure(pane.current) };
  };
  const move = (event: PointerEvent): void => {
    if (!drag.current) return;
    const moved = positionOf(event) - drag.current.position;
    grow(drag.current.size + (side === "left" ? moved : -moved));
  };
  const letGo = (): void => {
    drag.current = null;
  };
  const type = (event: KeyboardEvent): void => {
    const grows = side === "left" ? "forwards" : "backwards";
    const targetSize = sizeByKey(event.key, measure(pane.current), { min, max }, grows);
    if (targetSize === null) return;
    event.preventDefault();
    grow(targetSize);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={isFlat ? "horizontal" : "vertical"}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onKeyDown={type}
      className={`relative shrink-0 touch-none bg-line transition-colors after:absolute after:z-10 hover:bg-accent focus-visible:bg-accent active:bg-accent ${isFlat ? "h-px cursor-row-resize after:inset-x-0 after:-inset-y-1 pointer-coarse:after:-inset-y-3" : "w-px cursor-col-resize after:-inset-x-1 after:inset-y-0 pointer-coarse:after:-inset-x-3"}`}
    />
  );
}
