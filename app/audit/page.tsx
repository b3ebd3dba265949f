import { ScrollText } from "lucide-react";
import type { Metadata } from "next";
import { EmptyState } from "@/app/_ui/controls/empty-state";
import { PageFrame } from "@/app/_ui/shell/page-frame";
import { getTeamViewer } from "@/app/_viewer/get-viewer";
import { AppError } from "@/lib/server/app-error";
import { listAudit, listAuditActors } from "@/lib/server/audit/audit-queries";
import { mayInTeam } from "@/lib/server/auth/viewer";
import { readAuditAddress, toAuditQuery } from "./_audit/audit-address";
import { AuditFilters } from "./_audit/audit-filters";
import { AuditTable } from "./_audit/audit-table";

export const metadata: Metadata = { title: "Audit log" };

export default async function AuditPage({ searchParams }: PageProps<"/audit">) {
  const viewer = await getTeamViewer();
  const address = readAuditAddress(await searchParams);
  const isManager = [...viewer.roles.keys()].some((teamId) => mayInTeam(viewer, teamId, "team:manage"));
  if (!isManager)
    return (
      <EmptyState icon={<ScrollText size={24} aria-hidden />} title="For Admins">
        Only Admins of the team may read its audit log. Ask one of yours.
      </EmptyState>
    );
  const [page, actors] = await Promise.all([findPage(viewer, address), listAuditActors(viewer)]);
  const filter = toAuditQuery({ ...address, before: undefined });
  return (
    <PageFrame width="wide" className="flex flex-col gap-4">
      <div>
        <h1 className="font-semibold text-xl tracking-tight">Audit log</h1>
        <p className="mt-1 text-pretty text-text-muted">
          Who did what in this team, newest first. Entries are added, never changed. Saving a flow again within ten
          minutes adds none.
        </p>
      </div>
      <AuditFilters address={address} actors={actors} query={filter} />
      <AuditTable
        entries={page.entries}
        isFiltered={filter !== ""}
        names={new Map(actors.map(({ id, name }) => [id, name]))}
      />
      <nav aria-label="Pages" className="flex gap-4 empty:hidden">
        {address.before !== undefined && (
          <a href={`/audit?${filter}`} className="text-accent-text hover:underline">
            Newest
          </a>
        )}
        {page.next !== null && (
          <a
            href={`/audit?${toAuditQuery({ ...address, before: page.next })}`}
            className="text-accent-text hover:underline"
          >
            Older
          </a>
        )}
      </nav>
    </PageFrame>
  );
}

/** A page that an address names wrongly is the first one. */
async function findPage(viewer: Parameters<typeof listAudit>[0], address: Parameters<typeof listAudit>[1]) {
  try {
    return await listAudit(viewer, address);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return listAudit(viewer, { ...address, before: undefined });
  }
}
