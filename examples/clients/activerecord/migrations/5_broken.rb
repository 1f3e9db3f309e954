# Fails at its end and leaves nothing.
class Broken < ActiveRecord::Migration[6.1]
  def up
    create_table :publishers
    execute "UPDATE books SET price = 12"
    add_check_constraint :books, "price < 10", name: "book_cheap"
  end

  def down
    drop_table :publishers
  end
end
