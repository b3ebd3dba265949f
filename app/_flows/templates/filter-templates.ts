import type { Template } from "@/lib/templates/template";

/** The templates that contain every word of the query, in their title, description, use or agents' names. */
export function filterTemplates(
  templates: readonly Template[],
  { query, use }: { query: string; use: string | null },
): Template[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return templates.filter((template) => {
    if (use !== null && template.use !== use) return false;
    const text = `${template.title} ${template.about} ${template.use ?? ""} ${template.source}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The uses of these templates with their counts, in the order of the first template of each. */
export function listUses(templates: readonly Template[]): { label: string; value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { use } of templates) if (use !== null) counts.set(use, (counts.get(use) ?? 0) + 1);
  return Array.from(counts, ([use, count]) => ({ label: use, value: use, count }));
}
