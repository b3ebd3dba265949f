import { ViewportPortal } from "@xyflow/react";
import { memo } from "react";

/** The links of a large flow as one path: thousands of elements would make every move of the view slow. */
export const Web = memo(function Web({ path }: { path: string }) {
  if (path === "") return null;
  return (
    <ViewportPortal>
      <svg aria-hidden className="pointer-events-none absolute top-0 left-0 -z-10 size-px overflow-visible">
        <path d={path} fill="none" stroke="var(--edge)" strokeWidth={1.5} />
      </svg>
    </ViewportPortal>
  );
});
