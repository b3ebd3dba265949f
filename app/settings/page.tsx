import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { getTeamViewer } from "@/app/_viewer/get-viewer";
import { permissions } from "@/lib/server/auth/permissions";
import { listTeamsWith, type Viewer } from "@/lib/server/auth/viewer";
import { listConnections } from "@/lib/server/connections/queries";
import { listKeys } from "@/lib/server/keys/keys";
import { findRetention } from "@/lib/server/retention/retention";
import { getQueueStatus } from "@/lib/server/runs/queue/read-queue";
import { getApprovalRule } from "@/lib/server/teams/approval-rule";
import { findTraceExport } from "@/lib/server/trace-export/queries";
import { ApprovalsForm } from "./_settings/approvals/approvals-form";
import { ConnectionsSection } from "./_settings/connections/connections-section";
import { KeysSection } from "./_settings/keys/keys-section";
import { QueueSection } from "./_settings/queue/queue-section";
import { RetentionForm } from "./_settings/retention/retention-form";
import { TraceExportForm } from "./_settings/trace-export-form";

export const metadata: Metadata = { title: "Settings" };

const sections = [
  { id: "connections", title: "Connections" },
  { id: "trace-export", title: "Trace export" },
  { id: "retention", title: "Retention" },
  { id: "approvals", title: "Approvals" },
  { id: "keys", title: "API keys" },
  { id: "audit", title: "Audit log" },
  { id: "queue", title: "Queue" },
] as const;

export default async function SettingsPage() {
  const viewer = await getTeamViewer();
  const isManager = listTeamsWith(viewer, "team:manage").length > 0;
  return (
    <div className="w-full flex-1 bg-surface-sunken px-4 pt-4 pb-8 sm:px-8">
      <div className="mx-auto grid items-start gap-x-8 gap-y-3 lg:max-w-[1152px] lg:grid-cols-[160px_minmax(0,1fr)]">
        <h1 className="font-semibold text-xl tracking-tight lg:col-span-2">Settings</h1>
        <SettingsNav />
        <div className="flex min-w-0 flex-col gap-6">
          <SettingsSection
            section={sections[0]}
            description="The model providers that agents can use. Changes hold for runs that start from now on, without a restart."
          >
            {isManager ? <ConnectionsSection initial={await listConnections(viewer)} /> : <NoPermission />}
          </SettingsSection>
          <SettingsSection
            section={sections[1]}
            description="Sends every finished run to an OpenTelemetry collector as OTLP/JSON, for Langfuse, Phoenix, Jaeger and others."
          >
            {isManager ? <TraceExportForm initial={await findTraceExport(viewer)} /> : <NoPermission />}
          </SettingsSection>
          <SettingsSection
            section={sections[2]}
            description="How long runs are kept after their end. A run that a kept one continues stays, too."
          >
            {isManager ? <RetentionForm initial={await findRetention(viewer)} /> : <NoPermission />}
          </SettingsSection>
          <SettingsSection section={sections[3]} description="Who may approve what a run waits with.">
            {isManager ? <ApprovalsForm initial={await getApprovalRule(viewer)} /> : <NoPermission />}
          </SettingsSection>
          <SettingsSection
            section={sections[4]}
            description="With a key programs use the API in this team. Its secret is shown once, when it is made."
          >
            {isManager ? <Keys viewer={viewer} /> : <NoPermission />}
          </SettingsSection>
          <SettingsSection section={sections[5]} description="Who did what in this team, and when.">
            {isManager ? <AuditLink /> : <NoPermission />}
          </SettingsSection>
          <SettingsSection
            section={sections[6]}
            description="The runs that wait and those under way, in all processes of this installation."
          >
            {isManager ? <QueueSection initial={await getQueueStatus(viewer)} /> : <NoPermission />}
          </SettingsSection>
        </div>
      </div>
    </div>
  );
}

async function Keys({ viewer }: { viewer: Viewer }) {
  const grantable = permissions.filter((permission) => listTeamsWith(viewer, permission).length > 0);
  return <KeysSection initial={await listKeys(viewer)} grantable={grantable} />;
}

const AuditLink = () => (
  <Link href="/audit" className="text-accent-text hover:underline">
    Open the audit log
  </Link>
);

const SettingsNav = () => (
  <nav aria-label="Settings" className="sticky top-4 hidden flex-col gap-0.5 lg:flex">
    {sections.map(({ id, title }) => (
      <a
        key={id}
        href={`#${id}`}
        className="-ml-2.5 flex h-8 items-center rounded-md px-2.5 font-medium text-text-muted hover:bg-surface-hover hover:text-text"
      >
        {title}
      </a>
    ))}
  </nav>
);

interface SettingsSectionProps {
  section: (typeof sections)[number];
  description: string;
  children: ReactNode;
}

const SettingsSection = ({ section: { id, title }, description, children }: SettingsSectionProps) => (
  <section
    id={id}
    aria-labelledby={`${id}-title`}
    className="flex scroll-mt-4 flex-col gap-4 rounded-lg border bg-surface p-4"
  >
    <div>
      <h2 id={`${id}-title`} className="font-semibold text-base">
        {title}
      </h2>
      <p className="mt-1 text-text-muted">{description}</p>
    </div>
    {children}
  </section>
);

const NoPermission = () => (
  <p className="text-text-muted">Only Admins of the team may see and change this. Ask one of yours.</p>
);
