import { findAccountHead } from "@/lib/server/accounts/queries";
import { isTeamMode } from "@/lib/server/auth/team-mode";
import { listTeams } from "@/lib/server/teams/queries";
import { findShownTeam, findViewer } from "./get-viewer";

/** Who the bar of a page shows. */
export interface PageAccount {
  id: string;
  name: string;
  email: string;
  /** The team that is shown; null: none is chosen. */
  teamId: string | null;
  teams: { id: string; name: string }[];
}

/** The user for what surrounds a page, which authorises nothing. `account`: null without accounts, or while they cannot be read. */
export async function readPageUser(): Promise<{ isSignedIn: boolean; account: PageAccount | null }> {
  if (!isTeamMode()) return { isSignedIn: true, account: null };
  try {
    const viewer = await findViewer();
    if (!viewer) return { isSignedIn: false, account: null };
    const [head, teams, teamId] = await Promise.all([
      findAccountHead(viewer),
      listTeams(viewer),
      findShownTeam(viewer),
    ]);
    const account = head && { ...head, id: viewer.id, teamId, teams: teams.map(({ id, name }) => ({ id, name })) };
    return { isSignedIn: true, account };
  } catch {
    // The page itself fails for the same reason, and shows it.
    return { isSignedIn: true, account: null };
  }
}
