import { Button } from "../_ui/controls/button";

interface LoadProblemProps {
  /** What could not be loaded: `The steps`. */
  subject: string;
  problem: string;
  onRetry(): void;
}

export function LoadProblem({ subject, problem, onRetry }: LoadProblemProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-2 px-4 py-2">
      <p className="text-danger">
        {subject} could not be loaded: {problem}
      </p>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
