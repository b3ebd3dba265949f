import { useState } from "react";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";
import { Button } from "../../_ui/controls/button";
import { Checkbox } from "../../_ui/controls/checkbox";
import { AppCodeField, FormProblem, InputField } from "../forms/fields";
import { anyAnswer, requestAccount } from "../request-account";

interface SecondStepProps {
  onSignedIn(): Promise<void> | void;
  onBack(): void;
}

/** After the password: the code of an authenticator app, or one of the backup codes. */
export function SecondStep({ onSignedIn, onBack }: SecondStepProps) {
  const [isBackup, setBackup] = useState(false);
  const [trustDevice, setTrustDevice] = useState(false);
  const { pending, problem, submit } = useSubmit({ leaves: true });
  const verify = async (form: FormData): Promise<void> => {
    const code = readField(form, "code").replace(/\s/g, "");
    const endpoint = isBackup ? "two-factor/verify-backup-code" : "two-factor/verify-totp";
    await requestAccount(endpoint, anyAnswer, { json: { code, trustDevice } });
    await onSignedIn();
  };
  return (
    <form key={isBackup ? "backup" : "app"} className="flex flex-col gap-4" {...submit(verify)}>
      {isBackup ? (
        <InputField
          label="Backup code"
          name="code"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          hint="Each of the codes that you stored can be used once."
        />
      ) : (
        <AppCodeField autoFocus hint="The six digits that your authenticator app shows." />
      )}
      <Checkbox label="Trust this browser for 30 days" checked={trustDevice} onChange={setTrustDevice} />
      <FormProblem text={problem} />
      <Button type="submit" variant="primary" size="large" pending={pending}>
        Continue
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="ghost" size="small" onClick={() => setBackup(!isBackup)}>
          {isBackup ? "Use the code of the app" : "Use a backup code"}
        </Button>
        <Button variant="ghost" size="small" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  );
}
