import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { IconButton } from "../../_ui/controls/icon-button";
import { inputStyle } from "../../_ui/controls/input-style";
import { MessageText } from "../../_ui/text/message-text";

interface FieldProps extends ComponentProps<"input"> {
  label: string;
  name: string;
  hint?: string;
  /** Beside the label, at the right. */
  aside?: ReactNode;
}

/** A field of a form with its label. */
export function Field({ label, hint, aside, children, ...input }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div>
      <div className="mb-1 flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside}
      </div>
      <div className="relative">
        <input
          required
          {...input}
          id={id}
          aria-describedby={hint === undefined ? undefined : hintId}
          className={`${inputStyle} ${children ? "pr-9" : ""}`}
        />
        {children}
      </div>
      {hint !== undefined && (
        <p id={hintId} className="mt-1 text-text-muted text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}

/** A field for a password that can be shown. */
export function PasswordField(field: FieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field {...field} type={isShown ? "text" : "password"} spellCheck={false} autoCapitalize="none">
      <IconButton
        label={isShown ? "Hide the password" : "Show the password"}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        className="absolute! top-0.5 right-0.5 pointer-coarse:top-1.5"
      >
        {isShown ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
      </IconButton>
    </Field>
  );
}

/** The least and most characters of a password. */
export const passwordLimits = { minLength: 10, maxLength: 200 } as const;

export const NewPasswordField = ({ label = "Password" }: { label?: string }) => (
  <PasswordField
    label={label}
    name="newPassword"
    autoComplete="new-password"
    hint="At least 10 characters. Several words are easier to remember than signs."
    {...passwordLimits}
  />
);

export const FormProblem = ({ text }: { text: string | null }) =>
  text !== null && (
    <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger">
      <MessageText text={text} />
    </p>
  );
