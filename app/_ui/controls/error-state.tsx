import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { EmptyState } from "./empty-state";

interface ErrorStateProps {
  title: string;
  children: ReactNode;
  onRetry(): void;
}

export const ErrorState = ({ title, children, onRetry }: ErrorStateProps) => (
  <EmptyState icon={<TriangleAlert size={32} aria-hidden />} title={title}>
    <p role="alert">{children}</p>
    <Button variant="primary" onClick={onRetry}>
      Try again
    </Button>
  </EmptyState>
);
