-- What lists show of a flow, and its trash
ALTER TABLE "Flow" ADD COLUMN "search" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Flow" ADD COLUMN "picture" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Flow" ADD COLUMN "tags" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Flow" ADD COLUMN "deletedAt" DATETIME;
DROP INDEX "Flow_teamId_updatedAt_idx";
CREATE INDEX "Flow_teamId_deletedAt_updatedAt_idx" ON "Flow"("teamId", "deletedAt", "updatedAt");

-- What the list of versions shows of a revision
ALTER TABLE "Revision" ADD COLUMN "name" TEXT;
ALTER TABLE "Revision" ADD COLUMN "summary" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Revision" ADD COLUMN "createdById" TEXT NOT NULL DEFAULT 'local';
ALTER TABLE "Revision" ADD COLUMN "createdBy" TEXT NOT NULL DEFAULT 'You';

-- CreateTable
CREATE TABLE "Connection" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "baseUrl" TEXT NOT NULL DEFAULT '',
    "sealedKey" TEXT NOT NULL DEFAULT '',
    "secretId" TEXT NOT NULL DEFAULT '',
    "lastFour" TEXT NOT NULL DEFAULT '',
    "createdById" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME
);

-- CreateIndex
CREATE UNIQUE INDEX "Connection_teamId_provider_key" ON "Connection"("teamId", "provider");
