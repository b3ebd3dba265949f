import Link from "next/link";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { Section } from "@/app/_ui/controls/section";
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
import { ApprovalsForm } from "../_settings/approvals/approvals-form";
import { ConnectionsSection } from "../_settings/connections/connections-section";
import { listSettingGroups, type SettingGroup } from "../_settings/groups";
import { KeysSection } from "../_settings/keys/keys-section";
import { LimitsForm } from "../_settings/limits/limits-form";
import { QueueSection } from "../_settings/queue/queue-section";
import { RetentionForm } from "../_settings/retention/retention-form";
import { MembersSection } from "../_settings/team/members-section";
import { TeamSection } from "../_settings/team/team-section";
import { ToolsForm } from "../_settings/tools/tools-form";
import { TraceExportForm } from "../_settings/trace-export-form";

interface GroupProps {
  viewer: Viewer;
  isManager: boolean;
}

const groups: Readonly<Record<SettingGroup, (props: GroupProps) => ReactNode | Promise<ReactNode>>> = {
  team: TeamGroup,
  connections: ConnectionsGroup,
  runs: RunsGroup,
  tools: ToolsGroup,
  access: AccessGroup,
};

export default async function SettingsGroupPage({ params }: PageProps<"/settings/[group]">) {
  const viewer = await getTeamViewer();
  const { group } = await params;
  const known = listSettingGroups(isTeamMode()).find((name) => name === group);
  if (known === undefined) notFound();
  const Group = groups[known];
  return <Group viewer={viewer} isManager={listTeamsWith(viewer, "team:manage").length > 0} />;
}

const unprovedAddresses = " This server sends no mail: no one has proved that the address of an account is theirs.";

async function TeamGroup({ viewer, isManager }: GroupProps) {
  const [[team], members, invitations] = await Promise.all([
    listTeams(viewer),
    listMembers(viewer),
    isManager ? listInvitations(viewer) : null,
  ]);
  if (!team) return null;
  return (
    <>
      <Section id="team" title="Team" description="Flows, runs and all of these settings belong to it.">
        <TeamSection team={team} isManager={isManager} isFirst={team.id === localTeamId} />
      </Section>
      <Section
        id="members"
        title="Members"
        description={`Who may do what in this team, and in each of its flows.${areAddressesProved() ? "" : unprovedAddresses}`}
      >
        <MembersSection team={team} userId={viewer.id} members={members} invitations={invitations} />
      </Section>
    </>
  );
}

async function ConnectionsGroup({ viewer, isManager }: GroupProps) {
  return (
    <>
      <Section
        id="connections"
        title="Connections"
        description="The model providers that agents can use. Changes hold for runs that start from now on, without a restart."
      >
        {isManager ? <ConnectionsSection initial={await listConnections(viewer)} /> : <NoPermission />}
      </Section>
      <Section
        id="trace-export"
        title="Trace export"
        description="Sends every finished run to an OpenTelemetry collector as OTLP/JSON, for Langfuse, Phoenix, Jaeger and others."
      >
        {isManager ? <TraceExportForm initial={await findTraceExport(viewer)} /> : <NoPermission />}
      </Section>
    </>
  );
}

async function RunsGroup({ viewer, isManager }: GroupProps) {
  return (
    <>
      <Section
        id="limits"
        title="Limits"
        description="What the runs of this team may do at most. A run that would exceed a limit does not begin; one under way stops and keeps its work."
      >
        <LimitsForm initial={await getTeamLimits(viewer)} mayChange={isManager} />
      </Section>
      <Section
        id="retention"
        title="Retention"
        description="How long runs are kept after their end. A run that a kept one continues stays, too."
      >
        {isManager ? <RetentionForm initial={await findRetention(viewer)} /> : <NoPermission />}
      </Section>
      <Section
        id="queue"
        title="Queue"
        description="The runs that wait and those under way, in all processes of this installation."
      >
        {mayInTeam(viewer, localTeamId, "team:manage") ? (
          <QueueSection initial={await getQueueStatus(viewer)} />
        ) : (
          <NoPermission />
        )}
      </Section>
    </>
  );
}

async function ToolsGroup({ viewer, isManager }: GroupProps) {
  return (
    <>
      <Section
        id="tools"
        title="Tools"
        description="What the agents of this team may do. Changes hold for every call from now on, also in runs under way."
      >
        {isManager ? <Tools viewer={viewer} /> : <NoPermission />}
      </Section>
      <Section id="approvals" title="Approvals" description="Who may approve what a run waits with.">
        {isManager ? <ApprovalsForm initial={await getApprovalRule(viewer)} /> : <NoPermission />}
      </Section>
    </>
  );
}

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

async function AccessGroup({ viewer, isManager }: GroupProps) {
  return (
    <>
      <Section
        id="keys"
        title="API keys"
        description="With a key programs use the API in this team. Its secret is shown once, when it is made."
      >
        {isManager ? <Keys viewer={viewer} /> : <NoPermission />}
      </Section>
      <Section id="audit" title="Audit log" description="Who did what in this team, and when.">
        {isManager ? <AuditLink /> : <NoPermission />}
      </Section>
    </>
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

const NoPermission = () => (
  <p className="text-text-muted">Only Admins of the team may see and change this. Ask one of yours.</p>
);
