import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/app/_ui/controls/button";
import { EmptyState } from "@/app/_ui/controls/empty-state";

interface CanvasTroubleProps {
  title: string;
  children: ReactNode;
  onRetry(): void;
}

export function CanvasError({ title, children, onRetry }: CanvasTroubleProps) {
  return (
    <div role="alert" className="flex size-full items-center justify-center overflow-y-auto bg-canvas">
      <EmptyState icon={<TriangleAlert size={32} aria-hidden />} title={title}>
        <p>{children}</p>
        <Button variant="primary" onClick={onRetry}>
          Try again
        </Button>
      </EmptyState>
    </div>
  );
}
