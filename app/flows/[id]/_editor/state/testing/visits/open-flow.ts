import { localViewer } from "@/lib/server/auth/viewer";
import { getFlow } from "@/lib/server/flows/queries";
import { createTab, sleep, type TabFaults } from "./browser";
import type { Trial, Writer } from "./trial";
import { openVisit } from "./visit";
import { watchVisit } from "./watch-visit";
import { listWords } from "./words";

const maxLoadMs = 120;
const maxRestoreMs = 3_000;

/** Lets a writer open the flow. The page is there some time after the server has read it. */
export async function openFlow(trial: Trial, writer: Writer, faults: TabFaults = {}): Promise<void> {
  const { flowId: id, choices } = trial;
  const name = trial.nextName(writer);
  const log = (text: string): void => trial.log.note(`${name} ${text}`);
  const { source, layout, revision } = await getFlow(localViewer, id);
  log("opens");
  await sleep(choices.below(maxLoadMs));
  const tab = createTab({ name, browser: writer.browser, log }, faults);
  const visit = openVisit(tab, { id, source, layout, revision });
  writer.visit = visit;
  watchVisit(trial, writer, visit);
  await Promise.race([visit.restored, sleep(maxRestoreMs)]);
  log(`shows ${listWords(visit.getText()).join(" ")}`);
}
