// A server in a process of its own that only starts runs. `starts`: the ways, as JSON. Says when it is ready, begins all
// starts when it is told so, and answers with how many were accepted.
import { z } from "zod";
import { startServices } from "../../start";
import { prepareStarts, startedFromSchema } from "./ways-to-start";

const [from = "", names = ""] = process.argv.slice(2);
await startServices();
await globalThis.swarmloomServices?.endRuns();
const begin = await prepareStarts(
  startedFromSchema.parse(JSON.parse(from)),
  z.array(z.string()).parse(JSON.parse(names)),
);
process.once("message", async () => {
  process.send?.({ accepted: await begin() });
  process.exit();
});
process.send?.({ ready: true });
