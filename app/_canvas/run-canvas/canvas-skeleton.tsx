export function CanvasSkeleton() {
  return (
    <div className="flex size-full min-h-0 items-center justify-center overflow-hidden bg-canvas">
      <p role="status" className="sr-only">
        Loading the canvas…
      </p>
      <div aria-hidden className="flex items-center motion-safe:animate-pulse">
        {[0, 1, 2].map((card) => (
          <div key={card} className="flex items-center">
            {card > 0 && <span className="h-px w-8 bg-line-strong sm:w-16" />}
            <div className="h-[84px] w-24 rounded-lg border bg-surface-raised p-3 sm:w-[220px]">
              <div className="h-3 w-1/2 rounded bg-surface-hover" />
              <div className="mt-3 h-2 w-3/4 rounded bg-surface-hover" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
