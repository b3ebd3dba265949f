-- AlterTable
ALTER TABLE "ResetLink" ADD COLUMN     "replacedAt" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "TwoFactor" ADD COLUMN     "createdAt" TIMESTAMP(3);
