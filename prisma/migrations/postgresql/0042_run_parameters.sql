-- AlterTable
ALTER TABLE "Run" ADD COLUMN     "parameters" TEXT COLLATE "C";
