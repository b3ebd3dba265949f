import "server-only";
import type { GenericEndpointContext } from "better-auth";
import { APIError, getSessionFromCtx } from "better-auth/api";
import { takeAttempt } from "../auth/attempts";
import type { Db } from "../db";

/** How long an app's code is accepted: its 30 seconds, with those before and after. */
const codeMs = 90_000;

/** Throws APIError when a code of an account's app was entered before: who has seen it cannot use it again. */
export async function assertCodeIsNew(db: Db, context: GenericEndpointContext): Promise<void> {
  const userId = await findUserId(context);
  if (userId === null) return;
  const code = String(context.body?.code ?? "").slice(0, 20);
  if ((await takeAttempt(db, { key: `code ${userId} ${code}`, max: 1, periodMs: codeMs })) === null) return;
  throw new APIError("UNAUTHORIZED", {
    code: "CODE_USED",
    message: "This code was entered already. Wait until your app shows the next one.",
  });
}

/** Who is signed in, or has entered the right password and is asked for a code. */
async function findUserId(context: GenericEndpointContext): Promise<string | null> {
  const session = await getSessionFromCtx(context);
  if (session) return session.user.id;
  const { name } = context.context.createAuthCookie("two_factor");
  const identifier = await context.getSignedCookie(name, context.context.secret);
  if (!identifier) return null;
  return (await context.context.internalAdapter.findVerificationValue(identifier))?.value ?? null;
}
