-- AlterTable
ALTER TABLE "Flow" ADD COLUMN     "publishedAt" TIMESTAMP(3),
ADD COLUMN     "publishedBy" TEXT COLLATE "C",
ADD COLUMN     "publishedById" TEXT COLLATE "C",
ADD COLUMN     "publishedId" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "Revision" ADD COLUMN     "number" INTEGER NOT NULL DEFAULT 1;

-- CreateTable
CREATE TABLE "Comment" (
    "id" TEXT COLLATE "C" NOT NULL,
    "teamId" TEXT COLLATE "C" NOT NULL,
    "flowId" TEXT COLLATE "C" NOT NULL,
    "parentId" TEXT COLLATE "C",
    "target" TEXT COLLATE "C" NOT NULL,
    "targetId" TEXT COLLATE "C" NOT NULL,
    "runId" TEXT COLLATE "C",
    "body" TEXT COLLATE "C" NOT NULL,
    "createdById" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "editedAt" TIMESTAMP(3),
    "deletedAt" TIMESTAMP(3),
    "resolvedAt" TIMESTAMP(3),
    "resolvedById" TEXT COLLATE "C",
    "resolvedBy" TEXT COLLATE "C",
    "decision" TEXT COLLATE "C",
    "decidedAt" TIMESTAMP(3),
    "decidedBy" TEXT COLLATE "C",

    CONSTRAINT "Comment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Notification" (
    "id" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "teamId" TEXT COLLATE "C" NOT NULL,
    "flowId" TEXT COLLATE "C" NOT NULL,
    "commentId" TEXT COLLATE "C" NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "readAt" TIMESTAMP(3),

    CONSTRAINT "Notification_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Comment_flowId_createdAt_idx" ON "Comment"("flowId", "createdAt");

-- CreateIndex
CREATE INDEX "Comment_parentId_createdAt_idx" ON "Comment"("parentId", "createdAt");

-- CreateIndex
CREATE INDEX "Notification_userId_createdAt_idx" ON "Notification"("userId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Notification_commentId_userId_type_key" ON "Notification"("commentId", "userId", "type");

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_flowId_fkey" FOREIGN KEY ("flowId") REFERENCES "Flow"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Comment" ADD CONSTRAINT "Comment_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Comment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Notification" ADD CONSTRAINT "Notification_commentId_fkey" FOREIGN KEY ("commentId") REFERENCES "Comment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The numbers of the revisions that there are.
UPDATE "Revision" SET "number" = numbered."position"
FROM (SELECT "id", row_number() OVER (PARTITION BY "flowId" ORDER BY "createdAt", "id") AS "position" FROM "Revision") AS numbered
WHERE numbered."id" = "Revision"."id";
