import type { Snapshot } from "../../state/save/snapshot";
import type { Session } from "../../state/session";

/**
 * Shows a version, after what all have now has become a version of its own. Resolves to false, and changes nothing, when what was
 * written here cannot be saved first. `version`: as users are told of it.
 */
export async function restoreVersion(
  { editor, autosave, live, notify }: Session,
  { source, layout }: Snapshot,
  { name, version }: { name: string; version: string },
): Promise<boolean> {
  if (!(await autosave.keepVersion())) {
    notify.error("The version was not restored: what you have now could not be saved first. Save it, then try again.");
    return false;
  }
  const done = `Restored ${version}`;
  // At once: what someone else writes after the save is in no version yet.
  editor.replace(source, layout, { name, done });
  live.noteRestored(version);
  notify.info(`${done}. Undo takes it back.`);
  return true;
}
