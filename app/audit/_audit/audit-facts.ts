import { roleOptions } from "@/app/_accounts/roles";
import { formatAmount, formatDate } from "@/app/_ui/format/format";
import { describePath } from "@/app/_ui/format/step-path";
import type { Json } from "@/lib/core/flow/flow";
import { countNouns } from "@/lib/core/flow/format-count";
import { isJsonList } from "@/lib/core/flow/parse-json";
import type { AuditLogEntry } from "@/lib/server/audit/audit-queries";

/** Part of a sentence. */
interface AuditFact {
  text: string;
  href?: string;
  /** The id that `text` has the beginning of. */
  whole?: string;
}

/** Names of users by their ids. */
type UserNames = ReadonlyMap<string, string>;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** Undefined: it is no role. */
const roleNameOf = (value: Json): string | undefined => roleOptions.find(([role]) => role === value)?.[1];

/** The facts of an entry in words: "20 runs, $0.10 each, until 25 Dec 2026". */
export const describeFacts = (
  { action, detail }: Pick<AuditLogEntry, "action" | "detail">,
  names: UserNames,
): AuditFact[] =>
  Object.entries(detail).flatMap(([name, value]) => {
    const phrase = phrases[name]?.(value, { action, names });
    return phrase ?? [describeOther(name, value)];
  });

/** The words of a fact; null where it is not as expected. */
type Phrase = (value: Json, context: { action: string; names: UserNames }) => AuditFact[] | null;

const phrases: Readonly<Record<string, Phrase>> = {
  maxRuns: (value) =>
    typeof value === "number" ? [{ text: value === 0 ? "no runs" : countNouns(value, "run") }] : null,
  maxRunCost: (value) => (typeof value === "number" ? [{ text: `${formatAmount(value)} each` }] : []),
  expiresAt: (value) => (isMoment(value) ? [{ text: `until ${formatDate(new Date(value).getTime(), "UTC")}` }] : null),
  texts: (value) =>
    isJsonList(value) && value.length > 0 ? [{ text: `with ${toText(value)}` }] : [{ text: "without texts" }],
  number: (value) => [{ text: `version ${toText(value)}` }],
  changed: (value) => (value === true ? [{ text: "with a changed flow" }] : []),
  approvalsAskedAgain: (value) =>
    typeof value === "number" && value > 0 ? [{ text: `${countNouns(value, "approval")} asked again` }] : [],
  // Says nothing to a user: exports have it.
  revision: () => [],
  flow: (value) => (typeof value === "string" ? [{ text: "its flow", href: `/flows/${value}` }] : null),
  run: (value) => (typeof value === "string" ? [{ text: "the run", href: `/runs/${value}` }] : null),
  role: (value) => {
    const name = roleNameOf(value);
    return [{ text: name === undefined ? "with the role in the team" : `as ${name}` }];
  },
  from: (value, { action }) => {
    const role = roleNameOf(value);
    if (role !== undefined) return [{ text: `from ${role}` }];
    if (typeof value !== "string") return null;
    if (!uuid.test(value)) return [{ text: `from “${value}”` }];
    return action.startsWith("run.")
      ? [{ text: "from an earlier run", href: `/runs/${value}` }]
      : [{ text: "from another flow", href: `/flows/${value}` }];
  },
  to: (value) => {
    const role = roleNameOf(value);
    return role === undefined ? null : [{ text: `to ${role}` }];
  },
  user: (value, { names }) => {
    const name = typeof value === "string" ? names.get(value) : undefined;
    return name === undefined ? null : [{ text: `for ${name}` }];
  },
  step: (value) => (typeof value === "string" ? [{ text: `at ${describePath(value)}` }] : null),
  format: (value) => [{ text: `as ${toText(value).toUpperCase()}` }],
};

const isMoment = (value: Json): value is string | number =>
  (typeof value === "string" || typeof value === "number") && !Number.isNaN(new Date(value).getTime());

/** `starterMayNotApprove` is "starter may not approve: yes"; of an id its beginning is enough. */
function describeOther(name: string, value: Json): AuditFact {
  const label = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (value === null) return { text: `no ${label}` };
  if (typeof value === "string" && uuid.test(value)) return { text: `${label} ${value.slice(0, 8)}`, whole: value };
  if (typeof value === "number" && /cost/i.test(name)) return { text: `${label}: ${formatAmount(value)}` };
  return { text: `${label}: ${toText(value)}` };
}

function toText(value: Json): string {
  if (isJsonList(value)) return value.map(toText).join(", ");
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const sectionPaths = {
  schedule: "/triggers",
  webhook: "/triggers",
  connection: "/settings/connections",
  key: "/settings/access",
  member: "/settings/team",
} as const;

/** Where what an entry is about can be seen; null: nowhere, as a link that was sent. */
export function findObjectPath({
  object: { type, id },
  detail,
}: Pick<AuditLogEntry, "object" | "detail">): string | null {
  if (type === "flow") return `/flows/${id}`;
  if (type === "run") return `/runs/${id}`;
  if (type === "team") return null;
  if (type !== "share") return sectionPaths[type];
  if (typeof detail.flow === "string") return `/flows/${detail.flow}`;
  return typeof detail.run === "string" ? `/runs/${detail.run}` : null;
}
