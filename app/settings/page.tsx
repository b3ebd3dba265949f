import { redirect } from "next/navigation";
import { getTeamViewer } from "@/app/_viewer/get-viewer";
import { isTeamMode } from "@/lib/server/auth/team-mode";
import { listSettingGroups } from "./_settings/groups";

export default async function SettingsPage() {
  await getTeamViewer();
  const [first = "connections"] = listSettingGroups(isTeamMode());
  redirect(`/settings/${first}`);
}
