-- AlterTable
ALTER TABLE "TeamSetting" ADD COLUMN     "maxCostPerDay" DOUBLE PRECISION,
ADD COLUMN     "maxCostPerMonth" DOUBLE PRECISION,
ADD COLUMN     "maxRunCost" DOUBLE PRECISION,
ADD COLUMN     "maxRunsPerDay" INTEGER;
