type FormControl = Pick<HTMLInputElement, "type" | "minLength" | "validationMessage"> & {
  validity: Pick<ValidityState, "valueMissing" | "typeMismatch" | "tooShort">;
};

/** What is wrong with a field of a form, and what to enter. */
export function describeInvalid(label: string, { type, minLength, validity, validationMessage }: FormControl): string {
  if (validity.valueMissing) return `${label} is missing.`;
  if (validity.tooShort) return `${label}: enter at least ${minLength} characters.`;
  if (validity.typeMismatch && type === "email")
    return `${label}: enter a whole address with an @, for example ada@example.org.`;
  return `${label}: ${validationMessage}`;
}

/** The first field of a form that cannot be sent as it is, with what is wrong. */
export function findInvalid(form: HTMLFormElement): { field: HTMLInputElement; problem: string } | null {
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement) || field.validity.valid) continue;
    const label = field.labels?.[0]?.textContent ?? field.name;
    return { field, problem: describeInvalid(label, field) };
  }
  return null;
}
