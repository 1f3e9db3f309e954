// Sequelize's ways to change a schema: `node migrate.js STEP`. Where to connect is said by libpq's environment.
'use strict';
const { DataTypes, Op, Sequelize } = require('sequelize');

const { PGHOST: host, PGPORT: port, PGDATABASE: database, PGUSER: username, PGPASSWORD: password } = process.env;
const sequelize = new Sequelize({ dialect: 'postgres', host, port, database, username, password, logging: false });
const queryInterface = sequelize.getQueryInterface();

const Author = sequelize.define('author', { name: { type: DataTypes.TEXT, allowNull: false } });
const Book = sequelize.define('book', {
  title: { type: DataTypes.TEXT, allowNull: false },
  cover: DataTypes.STRING(10),
});
Author.hasMany(Book, { foreignKey: { allowNull: false } });
Book.belongsTo(Author);

const steps = {
  async sync() {
    await sequelize.sync();
  },

  async fill() {
    await sequelize.transaction(async (transaction) => {
      const author = await Author.create({ name: 'Woolf' }, { transaction });
      const titles = ['Orlando', 'The Waves', 'Ночь и день'];
      await Book.bulkCreate(
        titles.map((title) => ({ title, cover: 'soft', authorId: author.id })),
        { transaction },
      );
    });
  },

  async backfill() {
    await sequelize.transaction(async (transaction) => {
      await queryInterface.addColumn('books', 'slug', { type: DataTypes.TEXT }, { transaction });
      for (const book of await Book.findAll({ order: ['id'], transaction })) {
        const slug = book.title.toLowerCase().replaceAll(' ', '-');
        await queryInterface.bulkUpdate('books', { slug }, { id: book.id }, { transaction });
      }
      await queryInterface.changeColumn('books', 'slug', { type: DataTypes.TEXT, allowNull: false }, { transaction });
    });
  },

  async constrain() {
    await sequelize.transaction(async (transaction) => {
      const price = { type: DataTypes.DECIMAL(8, 2), allowNull: false, defaultValue: 0 };
      await queryInterface.addColumn('books', 'price', price, { transaction });
      await queryInterface.addConstraint('books', {
        name: 'book_price',
        type: 'check',
        fields: ['price'],
        where: { price: { [Op.gte]: 0 } },
        transaction,
      });
      await queryInterface.addIndex('books', ['slug'], { name: 'book_slug', unique: true, transaction });
    });
  },

  // The models are what is right, and the database is altered to them: statement by statement, in no transaction.
  async alter() {
    sequelize.define('author', {
      name: { type: DataTypes.STRING(100), allowNull: false, comment: 'as on the cover' },
      born: DataTypes.INTEGER,
    });
    sequelize.models.author.hasMany(Book, { foreignKey: { allowNull: false } });
    await sequelize.models.author.sync({ alter: true });
  },

  async rename() {
    await queryInterface.renameColumn('books', 'slug', 'shortName');
    await queryInterface.renameTable('authors', 'writers');
  },

  async broken() {
    await sequelize.transaction(async (transaction) => {
      await queryInterface.createTable('publishers', { id: { type: DataTypes.INTEGER, primaryKey: true } }, { transaction });
      await queryInterface.bulkUpdate('books', { price: 12 }, {}, { transaction });
      await queryInterface.addConstraint('books', {
        name: 'book_cheap',
        type: 'check',
        fields: ['price'],
        where: { price: { [Op.lt]: 10 } },
        transaction,
      });
    });
  },

  async down() {
    await sequelize.transaction(async (transaction) => {
      await queryInterface.renameTable('writers', 'authors', { transaction });
      await queryInterface.removeIndex('books', 'book_slug', { transaction });
      await queryInterface.removeConstraint('books', 'book_price', { transaction });
      await queryInterface.removeColumn('books', 'price', { transaction });
      await queryInterface.removeColumn('books', 'shortName', { transaction });
    });
  },

  async drop() {
    await sequelize.drop();
  },
};

steps[process.argv[2]]()
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => sequelize.close());
