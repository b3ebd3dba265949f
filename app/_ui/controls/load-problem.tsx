import type { ReactNode } from "react";
import { Button } from "./button";

interface LoadProblemProps {
  children: ReactNode;
  onRetry(): void;
}

/** What could not be loaded, and why; with a way to try again. */
export function LoadProblem({ children, onRetry }: LoadProblemProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-2">
      <p role="alert" className="text-danger">
        {children}
      </p>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
