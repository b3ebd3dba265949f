import "server-only";

/** A link that was neither revoked nor has expired, to a flow that is not in the trash. */
export const isOpenLink = (now: Date) => ({
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
  flow: { deletedAt: null },
});
