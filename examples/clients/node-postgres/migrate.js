// A schema and its changes by node-postgres: `node migrate.js STEP`. Where to connect is said by libpq's environment.
'use strict';
const { Pool } = require('pg');

const pool = new Pool();

async function transaction(work) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const steps = {
  async create() {
    // One text with two statements is one transaction.
    await pool.query(`
      CREATE TABLE author (id serial PRIMARY KEY, name text NOT NULL);
      CREATE TABLE book (id serial PRIMARY KEY, author_id integer NOT NULL, title text NOT NULL)`);
  },

  async fill() {
    await transaction(async (client) => {
      for (const name of ['Woolf', 'Дюма', "O'Brien"]) {
        await client.query('INSERT INTO author (name) VALUES ($1)', [name]);
      }
      await client.query('INSERT INTO book (author_id, title) SELECT * FROM unnest($1::integer[], $2::text[])', [
        [1, 1, 2],
        ['Orlando', 'The Waves', 'Монте-Кристо'],
      ]);
    });
  },

  async backfill() {
    await transaction(async (client) => {
      await client.query('ALTER TABLE book ADD COLUMN slug text');
      const books = await client.query('SELECT id, title FROM book ORDER BY id');
      for (const { id, title } of books.rows) {
        const values = [title.toLowerCase().replaceAll(' ', '-'), id];
        await client.query({ name: 'slug', text: 'UPDATE book SET slug = $1 WHERE id = $2', values });
      }
      await client.query('ALTER TABLE book ALTER COLUMN slug SET NOT NULL');
    });
  },

  async constrain() {
    // Named statements are prepared on the server.
    await pool.query({
      name: 'foreign-key',
      text: 'ALTER TABLE book ADD CONSTRAINT book_author FOREIGN KEY (author_id) REFERENCES author',
    });
    await pool.query({ name: 'index', text: 'CREATE UNIQUE INDEX book_slug ON book (slug)' });
  },

  async rename() {
    // Two sessions at once; each statement takes its turn.
    await Promise.all([
      pool.query('ALTER TABLE book RENAME COLUMN slug TO short_name'),
      pool.query('ALTER TABLE author RENAME TO writer'),
    ]);
  },

  async broken() {
    await transaction(async (client) => {
      await client.query('ALTER TABLE writer ADD COLUMN born integer DEFAULT 1882');
      await client.query('UPDATE writer SET born = $1 WHERE name = $2', [1802, 'Дюма']);
      await client.query('ALTER TABLE writer ADD CONSTRAINT writer_born CHECK (born > 1850)');
    });
  },

  async savepoint() {
    await transaction(async (client) => {
      await client.query('ALTER TABLE writer ADD COLUMN born integer');
      await client.query('UPDATE writer SET born = $1 WHERE name = $2', [1802, 'Дюма']);
      await client.query('SAVEPOINT before_check');
      try {
        await client.query('ALTER TABLE writer ADD CONSTRAINT writer_born CHECK (born > 1850)');
      } catch (error) {
        if (error.code !== '23514') throw error;
        await client.query('ROLLBACK TO SAVEPOINT before_check');
      }
      await client.query('ALTER TABLE writer ADD CONSTRAINT writer_born CHECK (born > 1750)');
    });
  },

  async drop() {
    await pool.query('DROP TABLE book, writer');
  },
};

steps[process.argv[2]]()
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => pool.end());
