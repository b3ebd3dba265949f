import { type DragEvent, type ReactNode, useState } from "react";

export function DropFile({ onDrop, children }: { onDrop(file: File): void; children: ReactNode }) {
  const [over, setOver] = useState(false);
  const drag = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  const leave = ({ currentTarget, relatedTarget }: DragEvent): void => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
  };
  const drop = (event: DragEvent): void => {
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    onDrop(file);
  };
  return (
    <section
      aria-label="Run file"
      onDragOver={drag}
      onDragLeave={leave}
      onDrop={drop}
      className={`flex min-h-0 flex-1 flex-col ${over ? "outline-2 outline-accent -outline-offset-2" : ""}`}
    >
      {children}
    </section>
  );
}
