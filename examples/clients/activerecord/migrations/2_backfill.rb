class Backfill < ActiveRecord::Migration[6.1]
  class Book < ActiveRecord::Base
  end

  def up
    add_column :books, :slug, :string
    Book.reset_column_information
    Book.find_each { |book| book.update!(slug: book.title.parameterize.presence || "book-#{book.id}") }
    change_column_null :books, :slug, false
  end

  def down
    remove_column :books, :slug
  end
end
