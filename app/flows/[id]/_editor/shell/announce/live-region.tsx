"use client";

import { useStore } from "zustand";
import { useSession } from "../../state/session-context";

/** The one place from which the editor speaks to people who cannot see it. */
export function LiveRegion() {
  const { announcer } = useSession();
  const { text, count } = useStore(announcer.store);
  return (
    <div role="status" aria-label="What happened" className="sr-only">
      <p key={count}>{text}</p>
    </div>
  );
}
