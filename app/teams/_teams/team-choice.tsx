"use client";
import { Check } from "lucide-react";
import { roleNames } from "@/app/_accounts/roles";
import { openTeam } from "@/app/_accounts/team-choice";
import type { TeamSummary } from "@/lib/server/teams/queries";

export const TeamChoice = ({ teams, shown }: { teams: readonly TeamSummary[]; shown: string | null }) => (
  <ul aria-label="Your teams" className="divide-y overflow-hidden rounded-md border">
    {teams.map(({ id, name, role }) => (
      <li key={id}>
        <button
          type="button"
          aria-current={id === shown || undefined}
          onClick={() => openTeam(id)}
          className="flex min-h-10 w-full items-center gap-2 px-3 text-left -outline-offset-2 hover:bg-surface-hover"
        >
          <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
          <span className="text-text-muted text-xs">{roleNames.get(role)}</span>
          {id === shown && <Check size={14} aria-label="Shown now" />}
        </button>
      </li>
    ))}
  </ul>
);
