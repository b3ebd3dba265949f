import type { Edit } from "@/lib/core/flow/edit";

type ControlEdit = Extract<Edit, { type: "set-control-field" }>;

/** Sets one field of a control; undefined removes it. */
export const setControlField = (name: string, path: string[], value: ControlEdit["value"]): ControlEdit => ({
  type: "set-control-field",
  name,
  path,
  value,
});

/** Blank text removes the field. */
export const setControlText = (name: string, path: string[], text: string): ControlEdit =>
  setControlField(name, path, text.trim() === "" ? undefined : text);
