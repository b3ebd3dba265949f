import "server-only";
import type { Viewer } from "../auth/viewer";
import type { Db } from "../db";

/** Someone who can be mentioned. */
export interface Member {
  id: string;
  name: string;
}

const mostMembers = 500;

/** The members of a team, by name, the first 500; where no one has an account, the viewer alone. */
export async function listMentionable(db: Db, teamId: string, viewer: Viewer): Promise<Member[]> {
  const memberships = await db.membership.findMany({
    where: { teamId },
    orderBy: [{ user: { name: "asc" } }, { userId: "asc" }],
    take: mostMembers,
    select: { user: { select: { id: true, name: true } } },
  });
  return memberships.length > 0 ? memberships.map(({ user }) => user) : [{ id: viewer.id, name: viewer.name }];
}

/** A mention as comments store it: `@[Name](user id)`. */
const mentionPattern = /@\[([^\]\n]{1,200})\]\(([^()\s]{1,200})\)/g;

/** The text with every mention under the name that its member has now, and those of others as plain text; and who is mentioned. */
export function readMentions(text: string, members: readonly Member[]): { body: string; mentioned: Set<string> } {
  const names = new Map(members.map(({ id, name }) => [id, name.replaceAll(/[[\]\n]/g, " ")]));
  const mentioned = new Set<string>();
  const body = text.replaceAll(mentionPattern, (_, written: string, id: string) => {
    const name = names.get(id);
    if (name === undefined) return `@${written}`;
    mentioned.add(id);
    return `@[${name}](${id})`;
  });
  return { body, mentioned };
}

/** The beginning of a text, with mentions as names, on one line. */
export function toExcerpt(body: string): string {
  const text = body
    .replaceAll(mentionPattern, (_, name: string) => `@${name}`)
    .replaceAll(/\s+/g, " ")
    .trim();
  return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt - 1)}…` : text;
}

const longestExcerpt = 200;
