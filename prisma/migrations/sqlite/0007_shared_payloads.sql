-- AlterTable
ALTER TABLE "RunPayload" ADD COLUMN "sameAs" TEXT;
