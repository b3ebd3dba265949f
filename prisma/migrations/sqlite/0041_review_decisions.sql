-- CreateTable
CREATE TABLE "ReviewDecision" (
    "commentId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "userName" TEXT NOT NULL,
    "decision" TEXT NOT NULL,
    "decidedAt" DATETIME NOT NULL,

    PRIMARY KEY ("commentId", "userId"),
    CONSTRAINT "ReviewDecision_commentId_fkey" FOREIGN KEY ("commentId") REFERENCES "Comment" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Who decided until now was known by name only: one of the reviewers, where exactly one of them has that name.
INSERT INTO "ReviewDecision" ("commentId", "userId", "userName", "decision", "decidedAt")
SELECT "Comment"."id", COALESCE((
    SELECT MIN("User"."id") FROM "Notification" JOIN "User" ON "User"."id" = "Notification"."userId"
    WHERE "Notification"."commentId" = "Comment"."id" AND "Notification"."type" = 'review' AND "User"."name" = "Comment"."decidedBy"
    HAVING COUNT(*) = 1
  ), ''), COALESCE("Comment"."decidedBy", ''), "Comment"."decision", COALESCE("Comment"."decidedAt", "Comment"."createdAt")
FROM "Comment" WHERE "Comment"."decision" IN ('approved', 'changes-requested');
