import { hasUnsaved } from "../../save/autosave";
import { type Browser, sleep } from "./browser";
import { openFlow } from "./open-flow";
import { listCopies } from "./tab-storage";
import type { Trial } from "./trial";

/** Late saves are waited for, but not for longer. */
const maxLateMs = 20_000;
const maxRestlessMs = 60_000;
/** So long nothing is missing. */
const restMs = 700;
const maxReopenings = 4;

/** Returns what is missing before all pages show what the server has; null: nothing. */
async function findUnrest(trial: Trial, isPatient: boolean): Promise<string | null> {
  const text = await trial.readTexts();
  if (isPatient && trial.browsers.some(({ requests }) => requests.size > 0)) return "a request has no answer";
  for (const { session, getText, tab } of trial.visits) {
    const state = session.autosave.store.getState();
    const { status } = session.live.store.getState();
    if (status !== "together") return `${tab.name} is ${status}`;
    if (hasUnsaved(state) || state.sending || state.phase !== "saved") return `${tab.name} is ${state.phase}`;
    if (getText() !== text) return `${tab.name} differs from the server`;
  }
  return null;
}

/** Opens the pages of a browser again that keeps copies for its next visits. Returns whether there was one. */
async function reopenOne(trial: Trial): Promise<boolean> {
  for (const browser of trial.browsers) {
    const copies = await listCopies(browser);
    if (copies.length === 0) continue;
    trial.log.note(`copies are left: ${copies.join(", ")}`);
    await reopen(trial, browser);
    return true;
  }
  return false;
}

async function reopen(trial: Trial, browser: Browser): Promise<void> {
  const writers = trial.writers.filter((writer) => writer.browser === browser);
  for (const writer of writers) {
    writer.visit?.leave();
    writer.visit = null;
  }
  for (const writer of writers) await openFlow(trial, writer);
}

/** Ends all faults, and waits until every page shows what the server has. Returns what is missing in the end; null: nothing. */
export async function comeToRest(trial: Trial): Promise<string | null> {
  for (const visit of trial.visits) visit.heal();
  for (const writer of trial.writers) if (!writer.visit) await openFlow(trial, writer);
  const startedAt = Date.now();
  let [restingSince, reopenings]: [number | null, number] = [null, 0];
  for (;;) {
    const passed = Date.now() - startedAt;
    const missing = await findUnrest(trial, passed < maxLateMs);
    restingSince = missing === null ? (restingSince ?? Date.now()) : null;
    if (restingSince !== null && Date.now() - restingSince > restMs) {
      if (reopenings === maxReopenings || !(await reopenOne(trial))) return null;
      reopenings++;
      restingSince = null;
    }
    if (passed > maxRestlessMs) return missing;
    await sleep(40);
  }
}
