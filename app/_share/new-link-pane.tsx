import { useEffect, useRef } from "react";
import { Button, buttonClass } from "../_ui/controls/button";
import { CopyableValue } from "../_ui/text/copyable";
import type { ShareTarget } from "./share-requests";

interface NewLinkPaneProps {
  target: ShareTarget;
  url: string;
  onAnother(): void;
}

/** A link that was just made: its address is not stored, so it is shown once. */
export function NewLinkPane({ target, url, onAnother }: NewLinkPaneProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-label="The new link" className="flex flex-col gap-3">
      <div>
        <h3 ref={heading} tabIndex={-1} className="w-fit rounded font-medium">
          The link is ready
        </h3>
        <p className="text-text-muted">Copy it now: it is not stored, and is shown only here.</p>
      </div>
      <CopyableValue value={url} label="Copy the link" />
      {target.type === "flow" && (
        <>
          <p className="text-text-muted">In a page of your own, as a picture that can be moved and zoomed:</p>
          <CopyableValue value={toEmbedCode(url, target.name)} label="Copy the code" />
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <a href={url} target="_blank" rel="noreferrer" className={buttonClass("secondary")}>
          Open it
        </a>
        <Button variant="ghost" onClick={onAnother}>
          Create another link
        </Button>
      </div>
    </section>
  );
}

const toEmbedCode = (url: string, name: string): string =>
  `<iframe src="${url.replace("/s/", "/embed/")}" title="${escapeAttribute(name)}" width="800" height="480" style="border:0" loading="lazy"></iframe>`;

const escapeAttribute = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
