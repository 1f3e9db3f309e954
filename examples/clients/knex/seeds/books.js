'use strict';

exports.seed = (knex) =>
  knex.transaction(async (transaction) => {
    const [{ id }] = await transaction('author').insert({ name: "O'Brien" }).returning('id');
    await transaction('book').insert({ author_id: id, title: 'At Swim-Two-Birds', slug: 'swim', price: 9.5, cover: 'soft' });
    await transaction('book').where({ slug: 'swim' }).increment('price', 1);
  });
