import { createServer } from "node:http";
import { startServices } from "../../start";
import { LiveUpgrades } from "../upgrade";

/** A server of live flows only, as a process of its own that a test can kill: prints its port. The argument: the port. */
async function main(): Promise<void> {
  await startServices();
  const upgrades = new LiveUpgrades();
  await upgrades.openRooms();
  await upgrades.saveUnsaved();
  const server = createServer();
  server.on("upgrade", (request, socket, head) => void upgrades.answer(request, socket, head));
  server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address) console.log(`port ${address.port}`);
  });
}

void main();
