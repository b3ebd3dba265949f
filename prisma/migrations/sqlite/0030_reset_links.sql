-- CreateTable
CREATE TABLE "ResetLink" (
    "identifier" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "teamId" TEXT,
    "createdById" TEXT,
    "createdAt" DATETIME NOT NULL,
    "usedAt" DATETIME,
    CONSTRAINT "ResetLink_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ResetLink_userId_idx" ON "ResetLink"("userId");

-- CreateIndex
CREATE INDEX "ResetLink_createdById_idx" ON "ResetLink"("createdById");

-- Tokens that were stored readable: their links are void.
DELETE FROM "Verification" WHERE "identifier" LIKE 'reset-password:%';
