import { createContext, useContext } from "react";
import { inputClass } from "../fields/fields";

/** A context because the component that is shown while code loads gets no props. */
export const WaitingPrompt = createContext({ value: "", placeholder: "" });

/** Shows the text until its editor is loaded, which may take until the network is back. */
export function PromptWaiting() {
  const { value, placeholder } = useContext(WaitingPrompt);
  return (
    <textarea
      readOnly
      aria-label="Text, while its editor is loading"
      value={value}
      placeholder={placeholder}
      rows={4}
      className={`${inputClass} min-h-[104px] resize-none`}
    />
  );
}
