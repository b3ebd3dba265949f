import type { Permission } from "@/lib/server/auth/permissions";

/** What each scope of a key allows. */
export const scopeWords: Record<Permission, { label: string; hint: string }> = {
  "flows:read": { label: "Read flows", hint: "With their versions, schedules and webhooks." },
  "runs:read": { label: "Read runs", hint: "With all that their steps recorded." },
  "comments:write": { label: "Comment", hint: "On what can be read." },
  "runs:write": { label: "Start and control runs", hint: "Start, fork, pause, cancel and answer." },
  "flows:write": { label: "Change flows", hint: "Create, change and delete them, and their triggers." },
  "shares:write": { label: "Share", hint: "Links for people without an account." },
  "team:manage": { label: "Manage the team", hint: "Members, connections, keys and all other settings." },
  "team:own": { label: "Own the team", hint: "Delete it, and decide who owns it." },
};
