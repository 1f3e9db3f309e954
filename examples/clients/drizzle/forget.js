// Drops what the migrator remembers, so that the database can begin anew.
'use strict';
const { Client } = require('pg');

async function main() {
  const client = new Client();
  await client.connect();
  await client.query('DROP SCHEMA drizzle CASCADE');
  await client.end();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
