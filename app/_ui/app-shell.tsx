"use client";

import type { ReactNode } from "react";
import { Toaster } from "sonner";
import type { Theme } from "./theme";
import { TooltipProvider } from "./tooltip";
import { TopBar } from "./top-bar";

/** The frame of every page: the bar above, the page below, messages in the corner. */
export function AppShell({ theme, children }: { theme: Theme; children: ReactNode }) {
  return (
    <TooltipProvider>
      <div className="isolate flex h-dvh flex-col">
        <a
          href="#content"
          className="sr-only z-50 rounded-md bg-accent px-3 py-1 text-on-accent focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
        >
          Skip to content
        </a>
        <TopBar theme={theme} />
        <main id="content" tabIndex={-1} className="relative min-h-0 flex-1 overflow-auto outline-none">
          {children}
        </main>
      </div>
      <Toaster
        position="bottom-right"
        toastOptions={{
          unstyled: true,
          classNames: {
            toast:
              "flex w-full items-start gap-2 rounded-lg border border-line-strong bg-surface-raised px-3 py-2 text-[13px] text-text shadow-popover",
            content: "min-w-0 flex-1 break-words",
            title: "font-medium",
            description: "text-text-muted",
            actionButton: "rounded px-2 py-0.5 font-medium text-accent-text hover:bg-surface-hover",
            error: "border-l-4 border-l-danger",
            success: "border-l-4 border-l-success",
          },
        }}
      />
    </TooltipProvider>
  );
}
