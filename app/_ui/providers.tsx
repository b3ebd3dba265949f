"use client";
import { Tooltip } from "@base-ui/react/tooltip";
import type { ReactNode } from "react";
import { Toaster } from "sonner";

/** What the whole app shares: one delay for hints, one place for toasts. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delay={400}>
      {children}
      <Toaster
        position="bottom-center"
        toastOptions={{
          style: { background: "var(--surface-raised)", color: "var(--text)", border: "1px solid var(--line-strong)" },
        }}
      />
    </Tooltip.Provider>
  );
}
