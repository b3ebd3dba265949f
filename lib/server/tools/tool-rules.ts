import "server-only";
import { z } from "zod";
import { recordAudit, toTeamObject } from "../audit/record-audit";
import { requireTeam, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { getEnv } from "../env";
import { tellProcesses } from "../runs/store/tell-processes";
import { approvableTools, toolNames } from "./tool-names";

const longestList = 200;

/** Names of tools; an unknown one would have no effect. */
const toList = (names: readonly [string, ...string[]]) =>
  z
    .array(z.enum(names))
    .max(longestList)
    .transform((list) => [...new Set(list)].toSorted());

/** `example.org`, or `*.example.org` for every host below it, as a URL writes it. */
const host = z
  .string()
  .trim()
  .max(253)
  .transform((text, context) => {
    const [, wildcard = "", name = ""] = /^(\*\.)?([^\s:/?#@[\]*\\%]+)$/.exec(text.toLowerCase()) ?? [];
    if (name !== "" && URL.canParse(`https://${name}`)) return wildcard + new URL(`https://${name}`).hostname;
    const message = `expected a host such as example.org or *.example.org, found "${text.slice(0, 100)}"`;
    context.issues.push({ code: "custom", input: text, message });
    return z.NEVER;
  });

/** What the runs of a team may do with tools, beside what the server allows. */
export const toolRulesSchema = z.strictObject({
  /** Tools that no run may use; a flow with one of them does not run. */
  switchedOff: toList(toolNames),
  /** Tools that wait for a person's approval in every flow. */
  needApproval: toList(approvableTools),
  /** The only hosts that `http_request` reaches, also after redirects; null: every public one. */
  httpHosts: z
    .array(host)
    .max(longestList)
    .transform((list) => [...new Set(list)].toSorted())
    .nullable(),
});
export type ToolRules = z.infer<typeof toolRulesSchema>;

const noRules: ToolRules = { switchedOff: [], needApproval: [], httpHosts: null };

declare global {
  /** The rules of the teams that have any. Global because the bundles of a process share it. A change replaces it. */
  var swarmloomToolRules: ReadonlyMap<string, ToolRules> | undefined;
}

/** The rules that hold in a team now; without a team there are none. */
export const findToolRules = (teamId: string | undefined): ToolRules =>
  (teamId !== undefined && globalThis.swarmloomToolRules?.get(teamId)) || noRules;

/** The tools that wait for approval in every flow of a team, by its own rules and by the server's. */
export const listApprovalTools = (teamId: string): ReadonlySet<string> =>
  new Set([...getEnv().SWARMLOOM_APPROVE, ...findToolRules(teamId).needApproval]);

/** Reads the rules of all teams; calls of tools from now on follow them. Throws DatabaseError. */
export async function loadToolRules(db: Pick<Db, "teamSetting">): Promise<void> {
  const rows = await db.teamSetting.findMany({
    where: { OR: [{ switchedOffTools: { not: "" } }, { approvalTools: { not: "" } }, { httpHosts: { not: null } }] },
  });
  globalThis.swarmloomToolRules = new Map(rows.map((row) => [row.teamId, toRules(row)]));
}

interface RuleColumns {
  switchedOffTools: string;
  approvalTools: string;
  httpHosts: string | null;
}

/** Tools of another release are left out. */
const toRules = ({ switchedOffTools, approvalTools, httpHosts }: RuleColumns): ToolRules => ({
  switchedOff: toolNames.filter((name) => toLines(switchedOffTools).includes(name)),
  needApproval: approvableTools.filter((name) => toLines(approvalTools).includes(name)),
  httpHosts: httpHosts === null ? null : toLines(httpHosts),
});

const toLines = (text: string): string[] => text.split("\n").filter((line) => line !== "");

/** The rules of the viewer's team. Throws AppError `forbidden` unless the viewer manages it. */
export async function getToolRules(viewer: Viewer): Promise<ToolRules> {
  const teamId = requireTeam(viewer, "team:manage");
  const row = await (await getDb()).teamSetting.findUnique({ where: { teamId } });
  return row ? toRules(row) : noRules;
}

/** Throws AppError `forbidden` unless the viewer manages the team. */
export async function saveToolRules(viewer: Viewer, rules: ToolRules): Promise<ToolRules> {
  const teamId = requireTeam(viewer, "team:manage");
  const db = await getDb();
  const columns: RuleColumns = {
    switchedOffTools: rules.switchedOff.join("\n"),
    approvalTools: rules.needApproval.join("\n"),
    httpHosts: rules.httpHosts?.join("\n") ?? null,
  };
  await db.$transaction(async (tx) => {
    await tx.teamSetting.upsert({ where: { teamId }, create: { teamId, ...columns }, update: columns });
    const object = toTeamObject(teamId);
    await recordAudit(tx, viewer, { teamId, action: "tools.changed", object, detail: { ...rules } });
  });
  await loadToolRules(db);
  tellProcesses("settings");
  return rules;
}

/** Throws Error for the model where the team has switched a tool off. */
export function assertSwitchedOn(teamId: string, tool: string): void {
  if (findToolRules(teamId).switchedOff.some((name) => name === tool))
    throw new Error(`the tool is switched off in this team; an Admin switches it on in Settings, Tools`);
}
