import "server-only";
import type { GenericEndpointContext } from "better-auth";
import { APIError, getSessionFromCtx } from "better-auth/api";
import type { Db } from "../db";
import { findEndpoint } from "./auth-endpoints";

/** How long after signing in someone may change how the account is signed in to. */
const recentMs = 15 * 60_000;

/** Throws APIError 403 unless whoever changes how an account is signed in to has signed in a short time ago. */
export async function assertRecentSignIn(context: GenericEndpointContext): Promise<void> {
  if (!findEndpoint(context.path).needsRecentSignIn) return;
  const session = await getSessionFromCtx(context);
  if (session === null || Date.now() - session.session.createdAt.getTime() < recentMs) return;
  throw new APIError("FORBIDDEN", {
    code: "SESSION_NOT_FRESH",
    message: `Sign in again first: you signed in more than ${recentMs / 60_000} minutes ago.`,
  });
}

/** Ends the other sessions of an account of which someone has changed how it is signed in to. */
export async function endOtherSessions(db: Db, { path, context }: GenericEndpointContext): Promise<void> {
  if (!findEndpoint(path).endsOtherSessions || !context.session) return;
  const kept = [context.session, context.newSession].flatMap((present) => (present ? [present.session.token] : []));
  await db.userSession.deleteMany({ where: { userId: context.session.user.id, token: { notIn: kept } } });
}
