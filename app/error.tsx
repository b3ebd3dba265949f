"use client";
import { usePathname } from "next/navigation";
import { ErrorState } from "./_ui/controls/error-state";
import { AppBar, hasOwnBar } from "./_ui/shell/top-bar";

export default function ErrorPage({ error, retry }: { error: Error & { digest?: string }; retry(): void }) {
  return (
    <>
      {hasOwnBar(usePathname()) && <AppBar />}
      <ErrorState title="This page could not be shown" onRetry={retry}>
        Something went wrong {error.digest ? `in the server (${error.digest}); see its log` : "in this page"}.
        Everything that was saved is still there.
      </ErrorState>
    </>
  );
}
