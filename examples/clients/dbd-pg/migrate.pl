# A schema and its changes by DBI and DBD::Pg: `migrate.pl STEP`. Where to connect is said by libpq's environment.
use strict;
use warnings;
use utf8;
use DBI;

my $dbh = DBI->connect('dbi:Pg:', undef, undef, { RaiseError => 1, PrintError => 0, AutoCommit => 1 });

# Runs the statements in a transaction, which ends with the first error.
sub in_transaction {
    my ($work) = @_;
    $dbh->begin_work;
    eval { $work->(); $dbh->commit; 1 } or do {
        my $error = $@;
        $dbh->rollback;
        die $error;
    };
}

my %steps = (
    create => sub {
        # One text with two statements.
        $dbh->do('CREATE TABLE author (id serial PRIMARY KEY, name text NOT NULL);'
              . ' CREATE TABLE book (id serial PRIMARY KEY, author_id integer NOT NULL, title text NOT NULL)');
    },
    fill => sub {
        in_transaction(sub {
            my $insert = $dbh->prepare('INSERT INTO author (name) VALUES (?)');
            $insert->execute($_) for 'Woolf', 'Дюма', "O'Brien";
            $dbh->do('COPY book (author_id, title) FROM STDIN');
            $dbh->pg_putcopydata("$_\n") for "1\tOrlando", "1\tThe Waves", "2\tМонте-Кристо";
            $dbh->pg_putcopyend;
        });
    },
    backfill => sub {
        in_transaction(sub {
            $dbh->do('ALTER TABLE book ADD COLUMN slug text');
            my $update = $dbh->prepare('UPDATE book SET slug = ? WHERE id = ?');
            for my $row (@{ $dbh->selectall_arrayref('SELECT id, title FROM book ORDER BY id') }) {
                my ($id, $title) = @$row;
                $update->execute(lc($title) =~ s/ /-/gr, $id);
            }
            $dbh->do('ALTER TABLE book ALTER COLUMN slug SET NOT NULL');
        });
    },
    constrain => sub {
        # Prepared on the server, then executed.
        for my $sql (
            'ALTER TABLE book ADD CONSTRAINT book_author FOREIGN KEY (author_id) REFERENCES author',
            'CREATE UNIQUE INDEX book_slug ON book (slug)') {
            $dbh->prepare($sql, { pg_prepare_now => 1 })->execute;
        }
    },
    rename => sub {
        $dbh->do('ALTER TABLE book RENAME COLUMN slug TO short_name');
        $dbh->do('ALTER INDEX book_slug RENAME TO book_short_name');
    },
    broken => sub {
        in_transaction(sub {
            $dbh->do('ALTER TABLE author ADD COLUMN born integer DEFAULT 1882');
            $dbh->do('UPDATE author SET born = ? WHERE name = ?', undef, 1802, 'Дюма');
            $dbh->do('ALTER TABLE author ADD CONSTRAINT author_born CHECK (born > 1850)');
        });
    },
    savepoint => sub {
        in_transaction(sub {
            $dbh->do('ALTER TABLE author ADD COLUMN born integer');
            $dbh->do('UPDATE author SET born = ? WHERE name = ?', undef, 1802, 'Дюма');
            $dbh->pg_savepoint('before_check');
            eval { $dbh->do('ALTER TABLE author ADD CONSTRAINT author_born CHECK (born > 1850)') };
            die "not refused by a check: $@" unless $dbh->state eq '23514';
            $dbh->pg_rollback_to('before_check');
            $dbh->do('ALTER TABLE author ADD CONSTRAINT author_born CHECK (born > 1750)');
        });
    },
    drop => sub {
        in_transaction(sub { $dbh->do('DROP TABLE book, author') });
    },
);

my $step = $steps{ $ARGV[0] // '' } or die 'steps: ' . join(' ', sort keys %steps) . "\n";
$step->();
$dbh->disconnect;
