-- CreateTable
CREATE TABLE "ResetLink" (
    "identifier" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "teamId" TEXT COLLATE "C",
    "createdById" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),

    CONSTRAINT "ResetLink_pkey" PRIMARY KEY ("identifier")
);

-- CreateIndex
CREATE INDEX "ResetLink_userId_idx" ON "ResetLink"("userId");

-- CreateIndex
CREATE INDEX "ResetLink_createdById_idx" ON "ResetLink"("createdById");

-- AddForeignKey
ALTER TABLE "ResetLink" ADD CONSTRAINT "ResetLink_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Tokens that were stored readable: their links are void.
DELETE FROM "Verification" WHERE "identifier" LIKE 'reset-password:%';
