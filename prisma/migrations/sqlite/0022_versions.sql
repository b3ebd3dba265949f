-- AlterTable
ALTER TABLE "Flow" ADD COLUMN "publishedId" TEXT;
ALTER TABLE "Flow" ADD COLUMN "publishedAt" DATETIME;
ALTER TABLE "Flow" ADD COLUMN "publishedById" TEXT;
ALTER TABLE "Flow" ADD COLUMN "publishedBy" TEXT;

-- CreateTable
CREATE TABLE "Comment" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "teamId" TEXT NOT NULL,
    "flowId" TEXT NOT NULL,
    "parentId" TEXT,
    "target" TEXT NOT NULL,
    "targetId" TEXT NOT NULL,
    "runId" TEXT,
    "body" TEXT NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "editedAt" DATETIME,
    "deletedAt" DATETIME,
    "resolvedAt" DATETIME,
    "resolvedById" TEXT,
    "resolvedBy" TEXT,
    "decision" TEXT,
    "decidedAt" DATETIME,
    "decidedBy" TEXT,
    CONSTRAINT "Comment_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Comment_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Comment" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Notification" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "flowId" TEXT NOT NULL,
    "commentId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "readAt" DATETIME,
    CONSTRAINT "Notification_commentId_fkey" FOREIGN KEY ("commentId") REFERENCES "Comment" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "Revision" ADD COLUMN "number" INTEGER NOT NULL DEFAULT 1;

-- CreateIndex
CREATE INDEX "Comment_flowId_createdAt_idx" ON "Comment"("flowId", "createdAt");

-- CreateIndex
CREATE INDEX "Comment_parentId_createdAt_idx" ON "Comment"("parentId", "createdAt");

-- CreateIndex
CREATE INDEX "Notification_userId_createdAt_idx" ON "Notification"("userId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Notification_commentId_userId_type_key" ON "Notification"("commentId", "userId", "type");

-- The numbers of the revisions that there are.
UPDATE "Revision" SET "number" = numbered."position"
FROM (SELECT "id", row_number() OVER (PARTITION BY "flowId" ORDER BY "createdAt", "id") AS "position" FROM "Revision") AS numbered
WHERE numbered."id" = "Revision"."id";
