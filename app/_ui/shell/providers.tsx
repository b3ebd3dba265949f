"use client";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { loadPart } from "../loading/load-part";
import { whenIdle } from "../loading/when-idle";
import type { ThemeChoice } from "../theme/theme";
import { showTheme } from "../theme/theme-choice";
import { ThemeContext } from "../theme/theme-context";

const Hints = lazy(() => loadPart(() => import("../hints/hints")));
const Toaster = lazy(() => loadPart(() => import("../toast/toaster")));

export function Providers({ theme, children }: { theme: ThemeChoice; children: ReactNode }) {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  useEffect(() => {
    showTheme();
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", showTheme);
    return () => system.removeEventListener("change", showTheme);
  }, []);
  return (
    <ThemeContext value={theme}>
      {children}
      {isIdle && (
        <Suspense>
          <Hints />
          <Toaster />
        </Suspense>
      )}
    </ThemeContext>
  );
}
