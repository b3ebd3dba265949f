/** What a template is used for. */
export const templateUses = ["Research", "Support", "Content", "Development", "Data"] as const;
export type TemplateUse = (typeof templateUses)[number];

interface CatalogEntry {
  use: TemplateUse;
  /** What "Try it" runs it on. */
  input: string;
}

/** The templates by use, in the order of the gallery. All others show one construct each. */
export const templatesByUse: ReadonlyMap<string, CatalogEntry> = new Map<string, CatalogEntry>([
  [
    "research-report",
    {
      use: "Research",
      input: "How can a small city keep its streets cool in summer? The budget covers 240 trees.",
    },
  ],
  ["customer-support", { use: "Support", input: "My invoice is wrong, I want a refund of the second payment." }],
  [
    "code-review",
    {
      use: "Development",
      input:
        "Review this: function total(prices) { let sum = 0; for (var i = 0; i <= prices.length; i++) sum += prices[i]; return sum }",
    },
  ],
  [
    "data-extraction",
    {
      use: "Data",
      input:
        "Invoice 2026-117 of Miller Gardens, 12 May 2026: 40 street trees at 85 euro, 3,400 euro, payable within 14 days.",
    },
  ],
  [
    "translation",
    {
      use: "Content",
      input: "The city plants 240 trees this autumn. Every street gets shade, and every square a fountain.",
    },
  ],
  [
    "approval-before-sending",
    { use: "Support", input: "A customer asks why the delivery of the trees is a week late." },
  ],
  ["route-by-topic", { use: "Support", input: "May I have a refund for the second tree?" }],
  [
    "market-scan",
    {
      use: "Research",
      input: "Which ways to cool a street are on offer for small cities, and what do they cost?",
    },
  ],
  ["three-opinions", { use: "Content", input: "Should our city close its main street to cars on Sundays?" }],
]);
