/** The pages of the settings, by their address, in the order in which they are listed. */
export const settingGroups = {
  team: "Team",
  connections: "Connections",
  runs: "Runs",
  tools: "Tools",
  access: "Access",
} as const;

export type SettingGroup = keyof typeof settingGroups;

const localGroups = ["connections", "runs", "tools", "access"] as const;

/** Of these pages those that there are. Without accounts there is no team to manage. */
export const listSettingGroups = (isTeam: boolean): SettingGroup[] =>
  isTeam ? ["team", ...localGroups] : [...localGroups];
