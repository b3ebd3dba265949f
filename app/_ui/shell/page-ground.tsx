import type { ReactNode } from "react";

/** The ground of a page that is no list: as that of the lists. */
export const PageGround = ({ children }: { children: ReactNode }) => (
  <div className="w-full flex-1 bg-surface-sunken">{children}</div>
);
