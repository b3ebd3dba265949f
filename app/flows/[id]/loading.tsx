export default function FlowLoading() {
  return (
    <div role="status" aria-label="Loading the flow" className="flex h-full min-h-0 flex-col">
      <div className="h-11 border-b border-line" />
      <div className="flex min-h-0 flex-1">
        <div className="hidden w-1/3 border-r border-line md:block" />
        <div className="flex flex-1 items-center justify-center bg-canvas text-text-muted">Opening the flow…</div>
        <div className="hidden w-72 border-l border-line md:block" />
      </div>
    </div>
  );
}
