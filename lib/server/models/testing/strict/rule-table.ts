import "server-only";
import { strictServices } from "./services";
import type { StrictRule } from "./strict-rule";

const heading = `# What providers refuse

Providers refuse requests that others take: a parameter, an id, an order of messages, a keyword of a schema. Swarmloom writes each
request as its provider wants it; where only the server itself can tell, it asks again without what was refused, and the step says so.

The tests hold this by services on the own machine that refuse the same ([lib/server/models/testing/strict](../../../lib/server/models/testing/strict)):
every template and every ability of agents runs against each of them. The table is written from their rules. Missing one? Please
report it with the message of the provider.
`;

/** A page, or an issue as `owner/repository#number`, as a link. */
function toLink(source: string): string {
  const issue = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(source);
  if (issue) return `[${source}](https://github.com/${issue[1]}/issues/${issue[2]})`;
  return `[${new URL(source).hostname}](${source})`;
}

const toCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

const toModels = (models: RegExp | undefined): string => (models ? `\`${toCell(models.source)}\`` : "all");

const toRow = ({ models, refused, source, seen }: StrictRule): string =>
  `| ${toCell(refused)} | ${toModels(models)} | ${toLink(source)}, ${seen} |`;

/** The rules of every service, as a page of the docs. */
export const writeRuleTable = (): string =>
  [
    heading,
    ...[...strictServices.values()].map(({ label, rules }) =>
      [`## ${label}`, "", "| it refuses | models | source, last seen |", "|---|---|---|", ...rules.map(toRow), ""].join(
        "\n",
      ),
    ),
  ].join("\n");
