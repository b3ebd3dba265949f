import { useState } from "react";
import { Checkbox } from "../_ui/controls/checkbox";
import { useLoaded } from "../_ui/loading/use-loaded";
import { showError } from "../_ui/toast/show-error";
import { requestListed, setListed } from "./share-requests";

/** Whether everyone finds a flow in the gallery of this server. */
export function GalleryChoice({ flowId }: { flowId: string }) {
  const { value } = useLoaded({ key: flowId }, (signal) => requestListed(flowId, signal));
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isListed = chosen ?? value ?? false;
  const choose = (listed: boolean): void => {
    setChosen(listed);
    setListed(flowId, listed).catch((error: unknown) => {
      setChosen(isListed);
      showError(error);
    });
  };
  return (
    <div className="rounded-md border p-3">
      <Checkbox
        label="Show in the public gallery"
        hint="Everyone who reaches this server can find this flow, read its text and copy it."
        checked={isListed}
        onChange={choose}
      />
      <a href="/gallery" target="_blank" rel="noreferrer" className="ml-6 text-accent-text text-xs underline">
        Open the gallery
      </a>
    </div>
  );
}
