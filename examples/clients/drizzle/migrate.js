// Drizzle's migrator: `node migrate.js LAST [WITHOUT]`. Where to connect is said by libpq's environment.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { drizzle } = require('drizzle-orm/node-postgres');
const { migrate } = require('drizzle-orm/node-postgres/migrator');
const { Pool } = require('pg');

// The folder as it was in an earlier release: the journal names the migrations that there are.
function release(last, without) {
  const migrationsFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'drizzle-'));
  fs.cpSync(path.join(__dirname, 'drizzle'), migrationsFolder, { recursive: true });
  const file = path.join(migrationsFolder, 'meta', '_journal.json');
  const journal = JSON.parse(fs.readFileSync(file, 'utf8'));
  journal.entries = journal.entries.filter(({ tag }) => tag <= last && tag !== without);
  fs.writeFileSync(file, JSON.stringify(journal));
  return migrationsFolder;
}

async function main(last, without) {
  const migrationsFolder = release(last, without);
  const pool = new Pool();
  try {
    await migrate(drizzle(pool), { migrationsFolder });
  } finally {
    await pool.end();
    fs.rmSync(migrationsFolder, { recursive: true });
  }
}

main(process.argv[2], process.argv[3]).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
