"use client";

/** Something failed that should not: nothing that was saved is lost. */
export default function FlowError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <main className="mx-auto grid max-w-md gap-2 p-10 text-center">
      <h1 className="text-base font-semibold">This flow could not be shown</h1>
      <p className="text-text-muted">Everything that was saved is still there. Try again, or go back to the list.</p>
      <p>
        <button type="button" onClick={retry} className="font-medium text-accent-text underline underline-offset-2">
          Try again
        </button>
      </p>
    </main>
  );
}
