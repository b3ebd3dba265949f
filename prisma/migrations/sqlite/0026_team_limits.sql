-- AlterTable
ALTER TABLE "TeamSetting" ADD COLUMN "maxRunsPerDay" INTEGER;
ALTER TABLE "TeamSetting" ADD COLUMN "maxRunCost" REAL;
ALTER TABLE "TeamSetting" ADD COLUMN "maxCostPerDay" REAL;
ALTER TABLE "TeamSetting" ADD COLUMN "maxCostPerMonth" REAL;
