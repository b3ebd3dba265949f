import type { Metadata } from "next";
import Link from "next/link";
import { getTeamViewer } from "@/app/_viewer/get-viewer";
import { areAddressesProved } from "@/lib/server/accounts/sign-up-rules";
import { permissions } from "@/lib/server/auth/permissions";
import { isTeamMode } from "@/lib/server/auth/team-mode";
import { listTeamsWith, localTeamId, mayInTeam, type Viewer } from "@/lib/server/auth/viewer";
import { listConnections } from "@/lib/server/connections/queries";
import { listKeys } from "@/lib/server/keys/keys";
import { findRetention } from "@/lib/server/retention/retention";
import { getQueueStatus } from "@/lib/server/runs/queue/read-queue";
import { getApprovalRule } from "@/lib/server/teams/approval-rule";
import { listInvitations } from "@/lib/server/teams/invitations";
import { listMembers, listTeams } from "@/lib/server/teams/queries";
import { getTeamLimits } from "@/lib/server/teams/team-limits";
import { listTeamTools } from "@/lib/server/tools/registry";
import { getToolRules } from "@/lib/server/tools/tool-rules";
import { findTraceExport } from "@/lib/server/trace-export/queries";
import { Section } from "../_ui/controls/section";
import { ApprovalsForm } from "./_settings/approvals/approvals-form";
import { ConnectionsSection } from "./_settings/connections/connections-section";
import { KeysSection } from "./_settings/keys/keys-section";
import { LimitsForm } from "./_settings/limits/limits-form";
import { QueueSection } from "./_settings/queue/queue-section";
import { RetentionForm } from "./_settings/retention/retention-form";
import { MembersSection } from "./_settings/team/members-section";
import { TeamSection } from "./_settings/team/team-section";
import { ToolsForm } from "./_settings/tools/tools-form";
import { TraceExportForm } from "./_settings/trace-export-form";

export const metadata: Metadata = { title: "Settings" };

const sections = {
  team: { id: "team", title: "Team" },
  members: { id: "members", title: "Members" },
  connections: { id: "connections", title: "Connections" },
  traceExport: { id: "trace-export", title: "Trace export" },
  retention: { id: "retention", title: "Retention" },
  limits: { id: "limits", title: "Limits" },
  tools: { id: "tools", title: "Tools" },
  approvals: { id: "approvals", title: "Approvals" },
  keys: { id: "keys", title: "API keys" },
  audit: { id: "audit", title: "Audit log" },
  queue: { id: "queue", title: "Queue" },
} as const;

const { team: _, members: __, ...localSections } = sections;

export default async function SettingsPage() {
  const viewer = await getTeamViewer();
  const isManager = listTeamsWith(viewer, "team:manage").length > 0;
  const isTeam = isTeamMode();
  return (
    <div className="w-full flex-1 bg-surface-sunken px-4 pt-4 pb-8 sm:px-8">
      <div className="mx-auto grid items-start gap-x-8 gap-y-3 lg:max-w-[1152px] lg:grid-cols-[160px_minmax(0,1fr)]">
        <h1 className="font-semibold text-xl tracking-tight lg:col-span-2">Settings</h1>
        <SettingsNav isTeam={isTeam} />
        <div className="flex min-w-0 flex-col gap-6">
          {isTeam && <TeamSections viewer={viewer} isManager={isManager} />}
          <Section
            {...sections.connections}
            description="The model providers that agents can use. Changes hold for runs that start from now on, without a restart."
          >
            {isManager ? <ConnectionsSection initial={await listConnections(viewer)} /> : <NoPermission />}
          </Section>
          <Section
            {...sections.traceExport}
            description="Sends every finished run to an OpenTelemetry collector as OTLP/JSON, for Langfuse, Phoenix, Jaeger and others."
          >
            {isManager ? <TraceExportForm initial={await findTraceExport(viewer)} /> : <NoPermission />}
          </Section>
          <Section
            {...sections.retention}
            description="How long runs are kept after their end. A run that a kept one continues stays, too."
          >
            {isManager ? <RetentionForm initial={await findRetention(viewer)} /> : <NoPermission />}
          </Section>
          <Limits viewer={viewer} isManager={isManager} />
          <ToolSections viewer={viewer} isManager={isManager} />
          <Section
            {...sections.keys}
            description="With a key programs use the API in this team. Its secret is shown once, when it is made."
          >
            {isManager ? <Keys viewer={viewer} /> : <NoPermission />}
          </Section>
          <Section {...sections.audit} description="Who did what in this team, and when.">
            {isManager ? <AuditLink /> : <NoPermission />}
          </Section>
          <Section
            {...sections.queue}
            description="The runs that wait and those under way, in all processes of this installation."
          >
            {mayInTeam(viewer, localTeamId, "team:manage") ? (
              <QueueSection initial={await getQueueStatus(viewer)} />
            ) : (
              <NoPermission />
            )}
          </Section>
        </div>
      </div>
    </div>
  );
}

async function Keys({ viewer }: { viewer: Viewer }) {
  const grantable = permissions.filter((permission) => listTeamsWith(viewer, permission).length > 0);
  return <KeysSection initial={await listKeys(viewer)} grantable={grantable} />;
}

const Limits = async ({ viewer, isManager }: { viewer: Viewer; isManager: boolean }) => (
  <Section
    {...sections.limits}
    description="What the runs of this team may do at most. A run that would exceed a limit does not begin; one under way stops and keeps its work."
  >
    <LimitsForm initial={await getTeamLimits(viewer)} mayChange={isManager} />
  </Section>
);

const ToolSections = async ({ viewer, isManager }: { viewer: Viewer; isManager: boolean }) => (
  <>
    <Section
      {...sections.tools}
      description="What the agents of this team may do. Changes hold for every call from now on, also in runs under way."
    >
      {isManager ? <Tools viewer={viewer} /> : <NoPermission />}
    </Section>
    <Section {...sections.approvals} description="Who may approve what a run waits with.">
      {isManager ? <ApprovalsForm initial={await getApprovalRule(viewer)} /> : <NoPermission />}
    </Section>
  </>
);

async function Tools({ viewer }: { viewer: Viewer }) {
  const { switchedOff, needApproval, httpHosts } = await getToolRules(viewer);
  return (
    <ToolsForm
      initial={{ switchedOff: [...switchedOff], needApproval: [...needApproval], httpHosts }}
      tools={listTeamTools(listTeamsWith(viewer, "team:manage")[0])}
      always={["ask_human"]}
    />
  );
}

const AuditLink = () => (
  <Link href="/audit" className="text-accent-text hover:underline">
    Open the audit log
  </Link>
);

const unprovedAddresses = " This server sends no mail: no one has proved that the address of an account is theirs.";

async function TeamSections({ viewer, isManager }: { viewer: Viewer; isManager: boolean }) {
  const [[team], members, invitations] = await Promise.all([
    listTeams(viewer),
    listMembers(viewer),
    isManager ? listInvitations(viewer) : null,
  ]);
  if (!team) return null;
  return (
    <>
      <Section {...sections.team} description="Flows, runs and all of these settings belong to it.">
        <TeamSection team={team} isManager={isManager} isFirst={team.id === localTeamId} />
      </Section>
      <Section
        {...sections.members}
        description={`Who may do what in this team, and in each of its flows.${areAddressesProved() ? "" : unprovedAddresses}`}
      >
        <MembersSection team={team} userId={viewer.id} members={members} invitations={invitations} />
      </Section>
    </>
  );
}

const SettingsNav = ({ isTeam }: { isTeam: boolean }) => (
  <nav aria-label="Settings" className="sticky top-4 hidden flex-col gap-0.5 lg:flex">
    {Object.values(isTeam ? sections : localSections).map(({ id, title }) => (
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

const NoPermission = () => (
  <p className="text-text-muted">Only Admins of the team may see and change this. Ask one of yours.</p>
);
