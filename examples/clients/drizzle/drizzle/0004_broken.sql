-- Fails at its end and leaves nothing.
CREATE TABLE "publisher" ("id" serial PRIMARY KEY NOT NULL);
--> statement-breakpoint
UPDATE "book" SET "price" = 12;
--> statement-breakpoint
ALTER TABLE "book" ADD CONSTRAINT "book_cheap" CHECK ("price" < 10);
