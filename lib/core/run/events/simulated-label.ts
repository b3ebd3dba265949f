/** What every simulated answer begins with. */
export const simulatedLabel = "Simulated answer (no model was asked)";

/** An answer without the sentence that declares it simulated. */
export function splitSimulatedLabel(text: string): { isSimulated: boolean; content: string } {
  if (!text.startsWith(simulatedLabel)) return { isSimulated: false, content: text };
  return { isSimulated: true, content: text.slice(simulatedLabel.length).replace(/^[.:]?\s*/, "") };
}
