import type { Metadata } from "next";
import type { ReactNode } from "react";
import { PageFrame } from "@/app/_ui/shell/page-frame";
import { isTeamMode } from "@/lib/server/auth/team-mode";
import { listSettingGroups } from "./_settings/groups";
import { SettingsNav } from "./_settings/settings-nav";

export const metadata: Metadata = { title: "Settings" };

export default function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <PageFrame
      width="wide"
      className="grid content-start items-start gap-x-8 gap-y-3 lg:grid-cols-[160px_minmax(0,1fr)]"
    >
      <h1 className="font-semibold text-xl tracking-tight lg:col-span-2">Settings</h1>
      <SettingsNav groups={listSettingGroups(isTeamMode())} />
      <div className="flex min-w-0 flex-col gap-6">{children}</div>
    </PageFrame>
  );
}
