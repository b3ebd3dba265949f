import { toGraph } from "../../dsl/series-parallel";
import { emptyLayout, type Scope } from "../../flow/edit";
import { applyChanges } from "../../flow/text-change";
import { isGroup } from "../../kinds/members";
import type { Swarm } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import { applyEdit } from "../apply-edit";
import type { SourceDocument } from "../read/source-document";
import { containerOf } from "../read/topology";
import { readSource } from "../read-source";

/** What a link between two members means in each mode. */
export type LinkKind = "step" | "handoff" | "delegation" | "spawn";

/** One link of a swarm, before and after; missing: it is not there. */
export interface LinkChange {
  from: string;
  to: string;
  before?: LinkKind;
  after?: LinkKind;
}

/** What a change of a swarm's mode comes to: the text after it, and what becomes of each link. */
export type ModePreview = { ok: true; text: string; links: LinkChange[] } | { ok: false; message: string };

const kinds: Record<Swarm["mode"], LinkKind> = {
  workflow: "step",
  handoff: "handoff",
  team: "delegation",
  orchestrate: "spawn",
};

/** Tries a change of mode without making it. */
export function previewMode(document: SourceDocument, scope: Scope, type: Swarm["mode"]): ModePreview {
  const before = swarmAt(document, scope);
  const result = applyEdit(document, emptyLayout, { type: "set-swarm-type", scope, swarm: type });
  if (!result.ok) return { ok: false, message: result.problem.message };
  const text = applyChanges(document.text, result.changes);
  const after = swarmAt(readSource(text), scope);
  if (!before || !after) return { ok: false, message: "There is no such swarm any more." };
  return { ok: true, text, links: compareLinks(before, after) };
}

function swarmAt({ flow }: SourceDocument, scope: Scope): Swarm | null {
  const container = containerOf(flow, scope);
  return container && !isGroup(container) ? container : null;
}

function compareLinks(before: Swarm, after: Swarm): LinkChange[] {
  const changes = new Map<string, LinkChange>();
  for (const [side, swarm] of Object.entries({ before, after }))
    for (const [source, target] of linksOf(swarm)) {
      const key = JSON.stringify([source, target]);
      changes.set(key, { ...(changes.get(key) ?? { from: source, to: target }), [side]: kinds[swarm.mode] });
    }
  return [...changes.values()];
}

/** The links of a swarm: steps, handoffs, or from the lead to every other member. */
function linksOf(swarm: Swarm): (readonly [string, string])[] {
  if (swarm.mode === "workflow") return swarm.flow ? [...toGraph(swarm.flow).edges] : [...(swarm.edges ?? [])];
  if (swarm.mode === "handoff") return [...(swarm.edges ?? [])];
  const [lead, ...workers] = rosterOf(swarm);
  return lead === undefined ? [] : workers.map((name) => [lead, name] as const);
}
