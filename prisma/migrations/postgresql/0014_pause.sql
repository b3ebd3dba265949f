-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "pauseRequested" BOOLEAN NOT NULL DEFAULT false;
