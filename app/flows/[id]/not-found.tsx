import Link from "next/link";

/** Nobody has a flow with this id, or this viewer may not see it. */
export default function FlowNotFound() {
  return (
    <main className="mx-auto grid max-w-md gap-2 p-10 text-center">
      <h1 className="text-base font-semibold">There is no such flow</h1>
      <p className="text-text-muted">It may have been deleted, or the address is not complete.</p>
      <Link href="/" className="font-medium text-accent-text underline underline-offset-2">
        All flows
      </Link>
    </main>
  );
}
