import type { Session } from "../state/session";

export async function formatFlow({ editor, notify }: Session): Promise<void> {
  const { formatSource } = await import("@/lib/core/source/yaml/format-source");
  const { text, layout } = editor.store.getState();
  const result = formatSource(text);
  if (!result.ok) notify.error(result.message);
  else if (result.text === text) notify.info("The text is already formatted.");
  else editor.replace(result.text, layout);
}
