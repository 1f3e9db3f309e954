// TypeORM's ways to change a schema: `node migrate.js up N [all|each|none]`, or `down`, `synchronize`, `use`, `drop`.
// Where to connect is said by DATABASE_URL.
'use strict';
const { DataSource } = require('typeorm');
const { Author, Book } = require('./entities');
const migrations = require('./migrations');

function source(options) {
  const url = process.env.DATABASE_URL;
  return new DataSource({ type: 'postgres', url, entities: [Author, Book], migrations, ...options }).initialize();
}

const steps = {
  async up(last, mode = 'all') {
    const database = await source({ migrations: migrations.slice(0, Number(last)), migrationsTransactionMode: mode });
    await database.runMigrations();
    return database;
  },

  async down() {
    const database = await source();
    await database.undoLastMigration();
    return database;
  },

  async synchronize() {
    const database = await source();
    await database.synchronize();
    return database;
  },

  async use() {
    const database = await source();
    await database.transaction(async (manager) => {
      const author = await manager.save(Author, { name: "O'Brien", born: 1911 });
      await manager.save(Book, { author, title: 'At Swim-Two-Birds', shortName: 'swim', price: '9.50', cover: 'soft' });
      // A transaction in a transaction is a savepoint.
      await manager.transaction((inner) => inner.update(Book, { shortName: 'orlando' }, { price: '12.25' }));
    });
    return database;
  },

  async drop() {
    const database = await source();
    await database.dropDatabase();
    return database;
  },
};

steps[process.argv[2]](...process.argv.slice(3))
  .then((database) => database.destroy())
  .catch((error) => {
    console.error(error);
    process.exit(1);
  });
