"use client";
import { TriangleAlert } from "lucide-react";
import { Button } from "./_ui/controls/button";
import { EmptyState } from "./_ui/controls/empty-state";

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset(): void }) {
  return (
    <EmptyState icon={<TriangleAlert size={32} aria-hidden />} title="This page could not be shown">
      <p role="alert">
        Something went wrong in the server{error.digest ? ` (${error.digest})` : ""}; see its log. Your flows and runs
        are unchanged.
      </p>
      <Button variant="primary" onClick={reset}>
        Try again
      </Button>
    </EmptyState>
  );
}
