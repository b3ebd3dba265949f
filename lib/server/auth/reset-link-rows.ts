import "server-only";
import { createHash } from "node:crypto";
import type { Db } from "../db";

type LinkDb = Pick<Db, "resetLink" | "verification">;
type LinkWhere = NonNullable<Parameters<Db["resetLink"]["findMany"]>[0]>["where"];

/** The identifier with which better-auth stores the verification of a token: it stores hashes only. */
export const toResetIdentifier = (token: string): string =>
  createHash("sha256").update(`reset-password:${token}`).digest("base64url");

/** A new link: its token, and the member who made it; null: it is mailed. */
export interface NewResetLink {
  userId: string;
  token: string;
  maker: { teamId: string; userId: string } | null;
}

/**
 * Stores a link, which takes the place of those before it. A mailed one leaves those that members made: everyone can
 * request a mail for an address.
 */
export async function storeResetLink(db: LinkDb, { userId, token, maker }: NewResetLink): Promise<void> {
  await withdrawResetLinks(db, { userId, ...(maker === null && { createdById: null }) });
  await db.resetLink.create({
    data: {
      identifier: toResetIdentifier(token),
      userId,
      teamId: maker?.teamId ?? null,
      createdById: maker?.userId ?? null,
      createdAt: new Date(),
    },
  });
}

/** Links that were not used cannot be used any more. */
export async function withdrawResetLinks(db: LinkDb, where: LinkWhere): Promise<void> {
  const links = await db.resetLink.findMany({ where: { AND: [{ usedAt: null }, where ?? {}] } });
  const identifiers = { in: links.map(({ identifier }) => identifier) };
  await db.verification.deleteMany({ where: { identifier: identifiers } });
  await db.resetLink.deleteMany({ where: { identifier: identifiers, usedAt: null } });
}

/** A time in which the maker of a link may have known the password of an account. */
export interface HeldPeriod {
  /** The identifier of the link. */
  link: string;
  makerId: string;
  from: Date;
  /** When the password was set with another link; null: it was not. */
  until: Date | null;
}

/** When members may have known the password of an account: from making a link that was used until another link was used. */
export async function listHeldPeriods(db: Pick<Db, "resetLink">, userId: string): Promise<HeldPeriod[]> {
  const links = await db.resetLink.findMany({ where: { userId, usedAt: { not: null }, createdById: { not: null } } });
  return links.flatMap(({ identifier, createdById, createdAt, replacedAt }) =>
    createdById === null ? [] : [{ link: identifier, makerId: createdById, from: createdAt, until: replacedAt }],
  );
}
