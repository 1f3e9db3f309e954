// What an application does between migrations. Where to connect is said by libpq's environment.
'use strict';
const assert = require('node:assert');
const { eq } = require('drizzle-orm');
const { drizzle } = require('drizzle-orm/node-postgres');
const { Pool } = require('pg');
const { author, book } = require('./schema');

async function main() {
  const pool = new Pool();
  try {
    const db = drizzle(pool);
    await db.transaction(async (transaction) => {
      const [{ id }] = await transaction.insert(author).values({ name: "O'Brien" }).returning();
      const swim = { authorId: id, title: 'At Swim-Two-Birds', shortName: 'swim', price: '9.50', cover: 'soft' };
      await transaction.insert(book).values(swim);
      // A transaction in a transaction is a savepoint.
      await assert.rejects(
        transaction.transaction((inner) => inner.insert(book).values(swim)),
        (error) => (error.cause ?? error).code === '23505',
      );
    });
    await db.update(book).set({ price: '12.25' }).where(eq(book.title, 'Orlando'));
  } finally {
    await pool.end();
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
