"use client";
import { usePathname } from "next/navigation";
import { useContext, useEffect } from "react";
import { ErrorState } from "./_ui/controls/error-state";
import { PageGround } from "./_ui/shell/page-ground";
import { AppBar, hasOwnBar } from "./_ui/shell/top-bar";
import { applyTheme, themeChoice } from "./_ui/theme/theme-choice";
import { ThemeContext } from "./_ui/theme/theme-context";

export default function ErrorPage({ error, retry }: { error: Error & { digest?: string }; retry(): void }) {
  useTheme();
  return (
    <>
      {hasOwnBar(usePathname()) && <AppBar />}
      <PageGround>
        <ErrorState title="This page could not be shown" onRetry={retry}>
          Something went wrong {error.digest ? `in the server (${error.digest}); see its log` : "in this page"}.
          Everything that was saved is still there.
        </ErrorState>
      </PageGround>
    </>
  );
}

/** The script in the head does not run when a page has failed in the server. */
function useTheme(): void {
  const initial = useContext(ThemeContext);
  useEffect(() => applyTheme(themeChoice.getState().choice ?? initial), [initial]);
}
