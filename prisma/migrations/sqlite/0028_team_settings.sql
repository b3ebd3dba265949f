-- AlterTable
ALTER TABLE "Run" ADD COLUMN "maxTokens" INTEGER;
ALTER TABLE "Run" ADD COLUMN "ownKeys" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "TeamSetting" ADD COLUMN "maxRunsPerMonth" INTEGER;
ALTER TABLE "TeamSetting" ADD COLUMN "maxTokensPerMonth" INTEGER;
ALTER TABLE "TeamSetting" ADD COLUMN "maxConcurrentRuns" INTEGER;
ALTER TABLE "TeamSetting" ADD COLUMN "switchedOffTools" TEXT NOT NULL DEFAULT '';
ALTER TABLE "TeamSetting" ADD COLUMN "approvalTools" TEXT NOT NULL DEFAULT '';
ALTER TABLE "TeamSetting" ADD COLUMN "httpHosts" TEXT;

-- CreateTable
CREATE TABLE "DeletedRunUsage" (
    "teamId" TEXT NOT NULL,
    "day" DATETIME NOT NULL,
    "runs" INTEGER NOT NULL,
    "cost" REAL NOT NULL,
    "tokens" REAL NOT NULL,

    PRIMARY KEY ("teamId", "day")
);

-- CreateTable
CREATE TABLE "PersonalKey" (
    "userId" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "sealedKey" TEXT NOT NULL,
    "secretId" TEXT NOT NULL,
    "lastFour" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,

    PRIMARY KEY ("userId", "provider"),
    CONSTRAINT "PersonalKey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
