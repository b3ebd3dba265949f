-- AlterTable
ALTER TABLE "ResetLink" ADD COLUMN "replacedAt" DATETIME;

-- AlterTable
ALTER TABLE "TwoFactor" ADD COLUMN "createdAt" DATETIME;
