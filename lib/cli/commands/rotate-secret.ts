import { AppError } from "@/lib/server/app-error";
import { rotateSecret } from "@/lib/server/connections/rotate-secret";
import { openCurrentDatabase } from "@/lib/server/start";
import { writeLine } from "../output";
import { enterProjectFolder } from "../project-folder";

/** `rotate-secret`: seals every entered key with another secret. Gives the exit code: 1 when the secret cannot be read or written. */
export async function runRotateSecret(): Promise<number> {
  enterProjectFolder();
  const db = await openCurrentDatabase();
  try {
    const { sealed, unreadable } = await rotateSecret(db);
    await writeLine(`${sealed} ${sealed === 1 ? "key is" : "keys are"} sealed with the new secret.`);
    for (const owner of unreadable)
      console.error(
        `warning: the key of ${owner} cannot be opened any more. Enter it again under Settings, or make a new secret under Triggers.`,
      );
    return 0;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    console.error(`error: ${error.message}`);
    return 1;
  } finally {
    await db.$disconnect();
  }
}
