import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { AppError } from "@/lib/server/app-error";
import { isTeamMode } from "@/lib/server/auth/team-mode";
import { narrowToTeam, type Viewer } from "@/lib/server/auth/viewer";
import { admitRequest } from "@/lib/server/http/admit-request";
import { pathHeader } from "@/lib/server/http/request-listener";
import { teamCookie } from "./team-cookie";

/**
 * The user of the request. Every page begins here or with `getTeamViewer`: the gate in front of Next is never the only one.
 * Who is not signed in is sent to where that is done, and back.
 */
export async function getViewer(): Promise<Viewer> {
  const viewer = await findViewer();
  if (viewer) return viewer;
  const path = encodeURIComponent((await headers()).get(pathHeader) ?? "/");
  redirect(`/sign-in?next=${path}`);
}

/** The user of the request; null: where people sign in, no one is. */
export const findViewer = cache(async (): Promise<Viewer | null> => {
  try {
    return await admitRequest(await headers());
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthorized" && isTeamMode()) return null;
    throw error;
  }
});

/** The user of a page about accounts, which exists only where people sign in; null: no one is signed in. */
export async function findAccountVisitor(): Promise<Viewer | null> {
  if (!isTeamMode()) notFound();
  return findViewer();
}

/** The user of the request in the team that is shown: the one that was chosen last, or the only one; else the user chooses. */
export async function getTeamViewer(): Promise<Viewer> {
  const viewer = await getViewer();
  const teamId = await findShownTeam(viewer);
  if (teamId === null) redirect("/teams");
  return narrowToTeam(viewer, teamId);
}

/** The team that is shown to a viewer; null: it has to choose one, or is in none. */
export async function findShownTeam({ roles }: Viewer): Promise<string | null> {
  const chosen = (await cookies()).get(teamCookie)?.value;
  if (chosen !== undefined && roles.has(chosen)) return chosen;
  const [onlyTeam] = roles.keys();
  return roles.size === 1 ? (onlyTeam ?? null) : null;
}
