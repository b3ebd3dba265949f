import Link from "next/link";
import * as z from "zod/mini";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import type { MemberCreation } from "@/lib/server/teams/member-creations";

const creationsSchema = z.object({
  creations: z.array(
    z.object({
      type: z.enum(["link", "webhook", "schedule"]),
      id: z.string(),
      name: z.string(),
      flowId: z.string(),
      runId: z.nullable(z.string()),
    }),
  ),
});

const describe = ({ type, name, runId }: MemberCreation): string =>
  ({
    link: `Share link to ${runId === null ? "" : "a run of "}“${name}”`,
    webhook: `Webhook “${name}”`,
    schedule: `Schedule “${name}”`,
  })[type];

/** What a member made that goes on after the member has left. `path`: of the member in the API. */
export function MemberCreations({ path }: { path: string }) {
  const { value, problem } = useLoaded({ key: path }, async (signal) =>
    fetchJson(`${path}/creations`, creationsSchema, { signal }),
  );
  if (problem !== null)
    return <p className="text-text-muted">Share links, webhooks and schedules were not listed: {problem}</p>;
  if (value === null) return <p className="text-text-muted">Loading share links, webhooks and schedules…</p>;
  if (value.creations.length === 0) return null;
  return (
    <div>
      <p id="member-creations">These go on. Revoke or delete what should end, or change its secret:</p>
      <ul aria-labelledby="member-creations" className="mt-2 max-h-60 divide-y overflow-auto rounded-md border">
        {value.creations.map((creation) => (
          <li key={creation.id} className="truncate px-3 py-1.5">
            <CreationLink creation={creation} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function CreationLink({ creation }: { creation: MemberCreation }) {
  const { type, flowId, runId } = creation;
  return (
    <Link
      href={type !== "link" ? `/triggers?flow=${flowId}` : runId === null ? `/flows/${flowId}` : `/runs/${runId}`}
      className="hover:underline"
    >
      {describe(creation)}
    </Link>
  );
}
