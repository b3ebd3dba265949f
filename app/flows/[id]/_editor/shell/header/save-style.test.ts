import { expect, it } from "vitest";
import { type SaveStanding, toSaveStyle } from "./save-style";

const wordOf = (standing: Partial<SaveStanding>): string =>
  toSaveStyle({
    phase: "saved",
    connection: "online",
    isLoading: false,
    mayEdit: true,
    isBackupFailing: false,
    ...standing,
  }).word;

it.each<[Partial<SaveStanding>, string]>([
  [{}, "Saved"],
  [{ connection: "offline" }, "Offline"],
  [{ connection: "offline", phase: "unsaved" }, "Offline, saved in this browser"],
  [{ phase: "offline" }, "Offline, saved in this browser"],
  [{ connection: "offline", phase: "unsaved", isBackupFailing: true }, "Offline, keep this page open"],
  [{ phase: "offline", isBackupFailing: true }, "Offline, keep this page open"],
  [{ connection: "reconnecting", phase: "failed", isBackupFailing: true }, "Reconnecting, keep this page open"],
  [{ connection: "offline", isBackupFailing: true }, "Offline"],
  [{ connection: "offline", mayEdit: false }, "Offline"],
  [{ connection: "reconnecting" }, "Reconnecting…"],
  [{ connection: "reconnecting", phase: "failed" }, "Reconnecting, saved in this browser"],
  [{ connection: "reconnected" }, "Back online"],
  [{ connection: "reconnected", phase: "saving" }, "Saving…"],
  [{ mayEdit: false }, "View only"],
  [{ connection: "reconnecting", phase: "no-access" }, "No access"],
  [{ connection: "offline", phase: "conflict" }, "Changed elsewhere"],
])("%j is shown as %s", (standing, expected) => {
  expect(wordOf(standing)).toBe(expected);
});
