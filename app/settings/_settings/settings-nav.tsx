"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type SettingGroup, settingGroups } from "./groups";

export function SettingsNav({ groups }: { groups: readonly SettingGroup[] }) {
  const path = usePathname();
  return (
    <nav
      aria-label="Settings"
      className="sticky top-4 flex min-w-0 gap-0.5 max-lg:static max-lg:overflow-x-auto lg:flex-col"
    >
      {groups.map((group) => (
        <Link
          key={group}
          href={`/settings/${group}`}
          aria-current={path === `/settings/${group}` ? "page" : undefined}
          className="flex h-8 items-center rounded-md px-2.5 font-medium text-text-muted hover:bg-surface-hover hover:text-text aria-[current=page]:bg-surface-hover aria-[current=page]:text-text lg:-ml-2.5"
        >
          {settingGroups[group]}
        </Link>
      ))}
    </nav>
  );
}
