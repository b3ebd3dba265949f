import { CopyButton } from "@/app/_ui/controls/copy-button";
import { Field } from "@/app/_ui/controls/field";
import { inputStyle } from "@/app/_ui/controls/input-style";

/** A link that is shown once. */
export const SecretLink = ({ label, url }: { label: string; url: string }) => (
  <Field label={label} hint="It is not shown again. Give it to this person only.">
    {(attributes) => (
      <div className="flex items-center gap-1">
        <input
          {...attributes}
          readOnly
          value={url}
          onFocus={({ currentTarget }) => currentTarget.select()}
          className={`${inputStyle} font-mono text-xs`}
        />
        <CopyButton text={url} label="Copy the link" />
      </div>
    )}
  </Field>
);
