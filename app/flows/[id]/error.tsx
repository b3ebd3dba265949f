"use client";
import { ErrorState } from "@/app/_ui/controls/error-state";
import { AppBar } from "@/app/_ui/shell/top-bar";

export default function FlowError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <>
      <AppBar />
      <ErrorState title="This flow could not be shown" onRetry={retry}>
        Everything that was saved is still there. Try again, or go back to the list.
      </ErrorState>
    </>
  );
}
