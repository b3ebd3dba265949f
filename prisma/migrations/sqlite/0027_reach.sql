-- AlterTable
ALTER TABLE "Flow" ADD COLUMN "reach" TEXT;
