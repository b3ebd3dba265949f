"use client";
import { ErrorState } from "./_ui/controls/error-state";

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset(): void }) {
  return (
    <ErrorState title="This page could not be shown" onRetry={reset}>
      Something went wrong in the server{error.digest ? ` (${error.digest})` : ""}; see its log. Your flows and runs are
      unchanged.
    </ErrorState>
  );
}
