const widths = ["w-11/12", "w-full", "w-10/12", "w-8/12", "w-9/12", "w-7/12"] as const;

export function TextLines() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-2 p-4">
      {widths.map((width) => (
        <span key={width} className={`h-3 rounded bg-surface-hover ${width}`} />
      ))}
    </div>
  );
}
