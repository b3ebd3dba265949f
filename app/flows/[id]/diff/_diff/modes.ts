export const diffModes = [
  { value: "overlay", label: "Overlay" },
  { value: "fields", label: "Fields" },
  { value: "text", label: "Text" },
] as const;

export type DiffMode = (typeof diffModes)[number]["value"];

export const readDiffMode = (view: string | string[] | undefined): DiffMode =>
  diffModes.find(({ value }) => value === view)?.value ?? "overlay";
