// Where to connect is said by libpq's environment.
'use strict';
module.exports = { client: 'pg', connection: {}, pool: { min: 0, max: 2 } };
