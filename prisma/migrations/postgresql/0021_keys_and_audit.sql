-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "teamId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL,
    "keyHash" TEXT COLLATE "C" NOT NULL,
    "lastFour" TEXT COLLATE "C" NOT NULL,
    "createdById" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "lastUsedAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditEvent" (
    "id" TEXT COLLATE "C" NOT NULL,
    "teamId" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "actorId" TEXT COLLATE "C" NOT NULL,
    "actorName" TEXT COLLATE "C" NOT NULL,
    "action" TEXT COLLATE "C" NOT NULL,
    "objectType" TEXT COLLATE "C" NOT NULL,
    "objectId" TEXT COLLATE "C" NOT NULL,
    "objectName" TEXT COLLATE "C" NOT NULL,
    "detail" TEXT COLLATE "C" NOT NULL,
    "search" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TeamSetting" (
    "teamId" TEXT COLLATE "C" NOT NULL,
    "starterMayNotApprove" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "TeamSetting_pkey" PRIMARY KEY ("teamId")
);

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_keyHash_key" ON "ApiKey"("keyHash");

-- CreateIndex
CREATE INDEX "ApiKey_teamId_createdAt_idx" ON "ApiKey"("teamId", "createdAt");

-- CreateIndex
CREATE INDEX "AuditEvent_teamId_at_id_idx" ON "AuditEvent"("teamId", "at", "id");

-- CreateIndex
CREATE INDEX "AuditEvent_teamId_objectId_at_idx" ON "AuditEvent"("teamId", "objectId", "at");
