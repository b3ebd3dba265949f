import { teamCookie } from "../_viewer/team-cookie";

/** Shows a team from now on, in this browser. */
export function chooseTeam(id: string): void {
  document.cookie = `${teamCookie}=${encodeURIComponent(id)}; path=/; max-age=31536000; samesite=lax`;
}

/** Opens the flows of a team, with everything that was loaded for another one gone. */
export function openTeam(id: string): void {
  chooseTeam(id);
  window.location.assign("/");
}
