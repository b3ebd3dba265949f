import { findDeclaration } from "@/lib/core/flow/flow";
import type { WrittenRange } from "@/lib/core/live/rivals";
import { readWithout } from "@/lib/core/settle/read-without";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing } from "../../editing/editing";

/** Values of one field that people set without knowing of each other, in the order of the text. */
export interface RivalValues {
  key: string;
  /** Names of one thing. */
  isName?: boolean;
  /** The name is used here; where it is declared one is told of it. */
  isReference?: boolean;
  /** The one that stays, where that is decided already: no declaration of this time tells of it. */
  kept?: WrittenRange;
  values: readonly WrittenRange[];
}

type Group = readonly WrittenRange[];

/** Names that people gave one thing without knowing of each other: where it is declared, and wherever it is used. */
export function findRivalNames(document: SourceDocument, groups: readonly Group[]): RivalValues[] {
  const clients = new Set(groups.flatMap((group) => group.map(({ client }) => client)));
  const namesByRange = new Map<WrittenRange, string>();
  for (const client of clients)
    for (const [range, name] of listNames(document, groups, client)) namesByRange.set(range, name);
  const isDeclaration = (group: Group): boolean => group.every((range) => namesByRange.has(range));
  const declared = groups.filter(isDeclaration);
  const isUsed = ({ client, text }: WrittenRange): boolean =>
    declared.some((group) =>
      group.some((range) => range.client === client && unquote(text) === namesByRange.get(range)),
    );
  const used = groups.filter((group) => !isDeclaration(group) && group.every(isUsed));
  const others = groups.filter((group) => !isDeclaration(group) && !used.includes(group));
  return [
    ...declared.map((values): RivalValues => ({ key: "name", values, isName: true })),
    ...used.map((values): RivalValues => ({ key: "name", values, isReference: true })),
    ...others.flatMap((values): RivalValues[] => {
      const kept = findDeclaredUse(document, values);
      return kept ? [{ key: "name", values, isReference: true, kept }] : [];
    }),
  ];
}

/**
 * The declared one of names that are used at one place in a text: which of them that is was decided before, where a name was
 * given that someone had given before. Undefined: none or several are declared, or what someone wrote there is no name.
 */
function findDeclaredUse({ text, flow }: SourceDocument, group: Group): WrittenRange | undefined {
  const start = group[0]?.from ?? 0;
  const before = text.slice(Math.max(0, start - 20), start);
  if (!/\b(?:outputs|vars)(?:\.|\[["']?)?$/.test(before)) return undefined;
  if (!group.every((range) => isBareName(range.text, /["']$/.test(before)))) return undefined;
  const isDeclared = (range: WrittenRange): boolean => {
    const name = unquote(range.text);
    return flow.vars.has(name) || findDeclaration(flow, name) !== null;
  };
  const [kept, ...more] = group.filter(isDeclared);
  return more.length === 0 ? kept : undefined;
}

/** Names with spaces are in quotes. */
function isBareName(text: string, isInQuotes: boolean): boolean {
  const name = unquote(text);
  return /^[^"'{}[\]$\n]+$/.test(name) && (isInQuotes || /["']/.test(text) || !/\s/.test(name));
}

/** What one of them wrote in keys, with the names that it has there when what the others wrote is not there. */
function listNames(document: SourceDocument, groups: readonly Group[], client: number): [WrittenRange, string][] {
  const own = groups.flatMap((group) => group.filter((range) => range.client === client));
  const others = groups.flatMap((group) => {
    const kept = group.find((range) => range.client === client) ?? group[0];
    return group.filter((range) => range !== kept);
  });
  const { alone, move } = readWithout(document, others);
  return own.flatMap((range): [WrittenRange, string][] => {
    const name = getEditing().findNameAt(alone, move(range));
    return name !== null && name === unquote(range.text) ? [[range, name]] : [];
  });
}

/** As it is called, without what is around it in a condition or a flow text. */
export const unquote = (text: string): string => text.replaceAll(/^(?:\.|\[)?["']?|["']?\]?$/g, "");
