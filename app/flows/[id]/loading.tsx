import { Logo } from "@/app/_ui/shell/logo";

export default function FlowLoading() {
  return (
    <div role="status" aria-label="Loading the flow" className="flex h-full min-h-0 flex-col">
      <div className="flex h-11 shrink-0 items-center border-line border-b px-3">
        <Logo />
      </div>
      <div className="flex min-h-0 flex-1">
        <div className="hidden w-1/3 border-r border-line md:block" />
        <div className="flex flex-1 items-center justify-center bg-canvas text-text-muted">Opening the flow…</div>
        <div className="hidden w-72 border-l border-line md:block" />
      </div>
    </div>
  );
}
