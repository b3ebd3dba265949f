import type { CommentMember } from "./requests";

/** A mention as comments are stored: `@[Name](user id)`. While a comment is written it is `@Name`. */
const mentionPattern = /@\[([^\]\n]{1,200})\]\(([^()\s]{1,200})\)/g;

/** A stored text as it is edited. */
export const toDraft = (body: string): string => body.replaceAll(mentionPattern, (_, name: string) => `@${name}`);

/** A stored text as Markdown that shows mentions in bold. */
export const toMarkdown = (body: string): string =>
  body.replaceAll(mentionPattern, (_, name: string) => `**@${name.replaceAll(/[\\`*_[\]<>~|]/g, "\\$&")}**`);

/** The text of a draft as it is stored: every `@Name` of a member is a mention, the longest name first. */
export function toBody(draft: string, members: readonly CommentMember[]): string {
  const byLength = members.toSorted((a, b) => b.name.length - a.name.length);
  let body = "";
  for (let at = 0; at < draft.length; ) {
    const member = isStart(draft, at) ? byLength.find(({ name }) => isNamedAt(draft, at + 1, name)) : undefined;
    body += member ? `@[${member.name}](${member.id})` : draft[at];
    at += member ? member.name.length + 1 : 1;
  }
  return body;
}

const isStart = (text: string, at: number): boolean => text[at] === "@" && !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");

const isNamedAt = (text: string, at: number, name: string): boolean =>
  text.startsWith(name, at) && !/[\p{L}\p{N}]/u.test(text[at + name.length] ?? "");

/** What is being typed after an `@` before the caret; null: nothing. */
export function findQuery(text: string, caret: number): { start: number; query: string } | null {
  const [, query] = /(?:^|[^\p{L}\p{N}])@([^@\n]{0,40})$/u.exec(text.slice(0, caret)) ?? [];
  return query === undefined ? null : { start: caret - query.length - 1, query };
}

/** The members whose name, or a word of it, begins with a text; at most eight. */
export function findMembers(members: readonly CommentMember[], query: string): CommentMember[] {
  const wanted = query.toLowerCase();
  const hits = (name: string): boolean =>
    [name, ...name.split(/\s+/)].some((word) => word.toLowerCase().startsWith(wanted));
  return members.filter(({ name }) => hits(name) && name.toLowerCase() !== wanted.trimEnd()).slice(0, 8);
}
