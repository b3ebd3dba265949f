import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Field, type FieldProps } from "../../_ui/controls/field";
import { IconButton } from "../../_ui/controls/icon-button";
import { inputStyle } from "../../_ui/controls/input-style";
import { MessageText } from "../../_ui/text/message-text";

interface InputFieldProps extends ComponentProps<"input">, Pick<FieldProps, "label" | "hint" | "aside"> {
  name: string;
}

/** A text field of a form. `children`: in the field, at its end. */
export const InputField = ({ label, hint, aside, children, ...input }: InputFieldProps) => (
  <Field label={label} hint={hint} aside={aside}>
    {(attributes) => (
      <div className="relative">
        <input required {...input} {...attributes} className={`${inputStyle} ${children ? "pr-9" : ""}`} />
        {children}
      </div>
    )}
  </Field>
);

/** The address of an account. */
export const EmailField = (field: Omit<InputFieldProps, "label" | "name" | "type" | "maxLength">) => (
  <InputField autoComplete="username" {...field} label="E-mail" name="email" type="email" maxLength={320} />
);

/** The code that an authenticator app shows. */
export const AppCodeField = (field: Pick<InputFieldProps, "hint" | "autoFocus">) => (
  <InputField {...field} label="Code" name="code" autoComplete="one-time-code" inputMode="numeric" maxLength={7} />
);

/** A field for a password that can be shown. */
export function PasswordField(field: InputFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <InputField {...field} type={isShown ? "text" : "password"} spellCheck={false} autoCapitalize="none">
      <IconButton
        label={isShown ? "Hide the password" : "Show the password"}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        className="absolute! top-0.5 right-0.5 pointer-coarse:top-1.5"
      >
        {isShown ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
      </IconButton>
    </InputField>
  );
}

/** The least and most characters of a password. */
export const passwordLimits = { minLength: 10, maxLength: 200 } as const;

export const NewPasswordField = ({ label = "Password" }: { label?: string }) => (
  <PasswordField
    label={label}
    name="newPassword"
    autoComplete="new-password"
    hint="At least 10 characters. Several words are easier to remember than symbols."
    {...passwordLimits}
  />
);

export const FormProblem = ({ text }: { text: string | null }) =>
  text !== null && (
    <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger">
      <MessageText text={text} />
    </p>
  );
