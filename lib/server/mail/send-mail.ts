import "server-only";
import { createTransport } from "nodemailer";
import { getEnv } from "../env";
import { logger } from "../log/logger";

interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Whether this server can send mail. */
export const isMailConfigured = (): boolean => getEnv().SWARMLOOM_SMTP_URL !== undefined;

/** Sends a mail. Resolves to false where no mail is configured, or the mail server refuses it: the log has the reason. */
export async function sendMail({ to, subject, text }: Mail): Promise<boolean> {
  const { SWARMLOOM_SMTP_URL: url, SWARMLOOM_MAIL_FROM: from = "Swarmloom <swarmloom@localhost>" } = getEnv();
  if (url === undefined) return false;
  try {
    await createTransport({ url, connectionTimeout: 10_000, socketTimeout: 20_000 }).sendMail({
      from,
      to,
      subject,
      text,
    });
    return true;
  } catch (error) {
    logger.warn({ err: error, subject }, "mail could not be sent");
    return false;
  }
}
