"use client";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { loadPart } from "../loading/load-part";
import { whenIdle } from "../loading/when-idle";

const Hints = lazy(() => loadPart(() => import("../hints/hints")));
const Toaster = lazy(() => loadPart(() => import("../toast/toaster")));

export function Providers({ children }: { children: ReactNode }) {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return (
    <>
      {children}
      {isIdle && (
        <Suspense>
          <Hints />
          <Toaster />
        </Suspense>
      )}
    </>
  );
}
