import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AccountCard } from "@/app/_accounts/forms/account-card";
import { findShownTeam, getViewer } from "@/app/_viewer/get-viewer";
import { isTeamMode } from "@/lib/server/auth/team-mode";
import { listTeams } from "@/lib/server/teams/queries";
import { CreateTeam } from "./_teams/create-team";
import { TeamChoice } from "./_teams/team-choice";

export const metadata: Metadata = { title: "Teams" };

export default async function TeamsPage() {
  if (!isTeamMode()) notFound();
  const viewer = await getViewer();
  const [teams, shown] = await Promise.all([listTeams(viewer), findShownTeam(viewer)]);
  return (
    <AccountCard
      title={teams.length === 0 ? "You are in no team yet" : "Choose a team"}
      description={
        teams.length === 0
          ? "Flows belong to teams. Open the link of an invitation that you got, or create a team of your own."
          : "Flows, runs and settings belong to a team. You change to another one in the menu at the top right."
      }
    >
      {teams.length > 0 && <TeamChoice teams={teams} shown={shown} />}
      <CreateTeam />
    </AccountCard>
  );
}
