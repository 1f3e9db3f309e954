# What `rails db:migrate` and `rails db:rollback` do: `migrate.rb up VERSION`, `rollback STEPS`, `use`.
# Where to connect is said by DATABASE_URL.
require "active_record"

ActiveRecord::Base.establish_connection(ENV.fetch("DATABASE_URL"))

class Author < ActiveRecord::Base
  has_many :books
end

class Book < ActiveRecord::Base
  belongs_to :author
end

migrations = ActiveRecord::MigrationContext.new(File.join(__dir__, "migrations"), ActiveRecord::SchemaMigration)

case ARGV[0]
when "up"
  migrations.migrate(Integer(ARGV[1]))
when "rollback"
  migrations.rollback(Integer(ARGV[1]))
when "use"
  Author.transaction do
    author = Author.create!(name: "O'Brien")
    # A transaction in a transaction is a savepoint.
    Author.transaction(requires_new: true) do
      author.books.create!(title: "At Swim-Two-Birds", slug: "swim", price: 9.5)
    end
    Author.transaction(requires_new: true) do
      author.books.create!(title: "The Third Policeman", slug: "third", price: 3)
      raise ActiveRecord::Rollback
    end
  end
  Book.find_by!(title: "Orlando").update!(price: 12.25)
end
