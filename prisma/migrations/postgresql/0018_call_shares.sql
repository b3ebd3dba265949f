-- CreateTable
CREATE TABLE "CallShare" (
    "resource" TEXT COLLATE "C" NOT NULL,
    "process" TEXT COLLATE "C" NOT NULL,
    "granted" INTEGER NOT NULL,
    "used" INTEGER NOT NULL,
    "waiting" INTEGER NOT NULL,
    "shortSince" TIMESTAMP(3),
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "CallShare_pkey" PRIMARY KEY ("resource","process")
);

-- Sets the share of a process in a limit (lib/server/models/call-share.ts), in one statement of the client. The shares of all processes never
-- exceed the limit: what a process gets is free, beyond what it keeps. Processes that had too little before it come first.
CREATE FUNCTION "shareCalls"("of" TEXT, "by" TEXT, "most" INT, "kept" INT, "wanted" INT, "inUse" INT, "waits" INT, "seconds" INT)
RETURNS TABLE ("share" INT, "isShort" BOOLEAN) LANGUAGE plpgsql VOLATILE AS $function$
#variable_conflict use_column
DECLARE
  "at" TIMESTAMP;
  "since" TIMESTAMP;
  "others" INT;
  "reserved" INT;
  "members" INT;
  "free" INT;
  "mine" INT;
BEGIN
  PERFORM pg_advisory_xact_lock(728364512, hashtext("of"));
  "at" := clock_timestamp() AT TIME ZONE 'UTC';
  DELETE FROM "CallShare" WHERE "resource" = "of" AND "expiresAt" < "at";
  SELECT "shortSince" INTO "since" FROM "CallShare" WHERE "resource" = "of" AND "process" = "by";
  SELECT coalesce(sum("granted"), 0), coalesce(sum("used" + "waiting" - "granted") FILTER (WHERE "shortSince" < coalesce("since", "at")), 0),
      count(*) FILTER (WHERE "used" + "waiting" > 0) + 1
    INTO "others", "reserved", "members" FROM "CallShare" WHERE "resource" = "of" AND "process" <> "by";
  "free" := greatest("most" - "others", 0);
  -- Never less than an equal part, as far as it is free.
  "mine" := least("wanted", greatest(least("most" / "members", "free"), "free" - "reserved", 0));
  "since" := CASE WHEN "mine" < least("inUse" + "waits", "most") THEN coalesce("since", "at") END;
  INSERT INTO "CallShare" ("resource", "process", "granted", "used", "waiting", "shortSince", "expiresAt")
    VALUES ("of", "by", greatest("mine", "kept"), "inUse", "waits", "since", "at" + make_interval(secs => "seconds"))
    ON CONFLICT ("resource", "process") DO UPDATE SET "granted" = excluded."granted", "used" = excluded."used",
      "waiting" = excluded."waiting", "shortSince" = excluded."shortSince", "expiresAt" = excluded."expiresAt";
  RETURN QUERY SELECT "mine", EXISTS (
    SELECT 1 FROM "CallShare" WHERE "resource" = "of" AND "process" <> "by" AND "shortSince" IS NOT NULL);
END
$function$;
