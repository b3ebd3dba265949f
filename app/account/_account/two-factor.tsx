"use client";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import * as z from "zod/mini";
import { AppCodeField, FormProblem, PasswordField } from "@/app/_accounts/forms/fields";
import { anyAnswer, requestAccount } from "@/app/_accounts/request-account";
import { Button } from "@/app/_ui/controls/button";
import { CopyButton } from "@/app/_ui/controls/copy-button";
import { loadPart } from "@/app/_ui/loading/load-part";
import { readField, useSubmit } from "@/app/_ui/loading/use-submit";
import { useConfirmation } from "./confirm/confirmation";

const QrCode = dynamic(() => loadPart(() => import("./qr-code")), { ssr: false });

const setupSchema = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) });
type Setup = z.infer<typeof setupSchema>;

/** Turns the second factor on in two steps, and off. The backup codes are shown once. */
export function TwoFactor({ isOn }: { isOn: boolean }) {
  const router = useRouter();
  const [setup, setSetup] = useState<Setup | null>(null);
  const [backupCodes, setBackupCodes] = useState<readonly string[] | null>(null);
  if (backupCodes) return <BackupCodes codes={backupCodes} onDone={() => setBackupCodes(null)} />;
  if (setup)
    return (
      <ConfirmSetup
        uri={setup.totpURI}
        onCancel={() => setSetup(null)}
        onConfirmed={() => {
          setBackupCodes(setup.backupCodes);
          setSetup(null);
          router.refresh();
        }}
      />
    );
  return isOn ? <TurnOff onBackupCodes={setBackupCodes} /> : <TurnOn onSetup={setSetup} />;
}

const readPassword = (form: FormData) => ({ password: readField(form, "password") });

const OwnPassword = () => (
  <PasswordField label="Your password" name="password" autoComplete="current-password" maxLength={200} />
);

function TurnOn({ onSetup }: { onSetup(setup: Setup): void }) {
  const confirmed = useConfirmation();
  const { pending, problem, submit } = useSubmit();
  return (
    <form
      className="flex flex-col gap-3"
      {...submit(async (form) =>
        onSetup(await confirmed(() => requestAccount("two-factor/enable", setupSchema, { json: readPassword(form) }))),
      )}
    >
      <p>It is off.</p>
      <OwnPassword />
      <FormProblem text={problem} />
      <Button type="submit" pending={pending} className="self-start">
        Turn on…
      </Button>
    </form>
  );
}

interface ConfirmSetupProps {
  uri: string;
  onConfirmed(): void;
  onCancel(): void;
}

/** Only a right code turns it on: a person whose app did not take the secret is not locked out. */
function ConfirmSetup({ uri, onConfirmed, onCancel }: ConfirmSetupProps) {
  const { pending, problem, submit } = useSubmit();
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  const confirm = async (form: FormData): Promise<void> => {
    const code = readField(form, "code").replace(/\s/g, "");
    await requestAccount("two-factor/verify-totp", anyAnswer, { json: { code } });
    onConfirmed();
  };
  return (
    <form className="flex flex-col gap-3" {...submit(confirm)}>
      <p>Scan this with an authenticator app, or enter the secret there. Then enter the code that the app shows.</p>
      <QrCode text={uri} label="QR code for an authenticator app" />
      <p className="flex flex-wrap items-center gap-1">
        Secret: <code className="break-all font-mono">{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </p>
      <AppCodeField hint="The six digits that the app shows." />
      <FormProblem text={problem} />
      <div className="flex gap-2">
        <Button type="submit" variant="primary" pending={pending}>
          Turn on
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

const codesSchema = z.object({ backupCodes: z.array(z.string()) });

function TurnOff({ onBackupCodes }: { onBackupCodes(codes: readonly string[]): void }) {
  const router = useRouter();
  const { pending, problem, perform, submit } = useSubmit();
  const confirmed = useConfirmation();
  const turnOff = async (form: FormData): Promise<void> => {
    await confirmed(() => requestAccount("two-factor/disable", anyAnswer, { json: readPassword(form) }));
    router.refresh();
  };
  const renew = async (form: FormData): Promise<void> => {
    const json = readPassword(form);
    const request = () => requestAccount("two-factor/generate-backup-codes", codesSchema, { json });
    onBackupCodes((await confirmed(request)).backupCodes);
  };
  return (
    <form className="flex flex-col gap-3" {...submit(turnOff)}>
      <p>It is on.</p>
      <OwnPassword />
      <FormProblem text={problem} />
      <div className="flex flex-wrap gap-2">
        <Button
          pending={pending}
          onClick={({ currentTarget: { form } }) => {
            if (form?.reportValidity()) void perform(() => renew(new FormData(form)));
          }}
        >
          New backup codes…
        </Button>
        <Button type="submit" variant="danger" pending={pending}>
          Turn off
        </Button>
      </div>
    </form>
  );
}

const BackupCodes = ({ codes, onDone }: { codes: readonly string[]; onDone(): void }) => (
  <div className="flex flex-col gap-3">
    <p>
      Store these backup codes now: they are not shown again. Each signs you in once when you do not have your phone.
    </p>
    <ul aria-label="Backup codes" className="grid grid-cols-2 gap-1 rounded-md bg-surface-sunken p-3 font-mono">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <div className="flex items-center gap-2">
      <Button variant="primary" onClick={onDone}>
        I have stored them
      </Button>
      <CopyButton text={codes.join("\n")} label="Copy the codes" />
    </div>
  </div>
);
