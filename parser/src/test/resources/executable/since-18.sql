-- What is new in 18.
CREATE SCHEMA app;
CREATE TABLE app.t (a int, v int GENERATED ALWAYS AS (a * 2) VIRTUAL, CONSTRAINT n NOT NULL a NO INHERIT, CONSTRAINT c CHECK (a > 0) NOT ENFORCED);
ALTER TABLE app.t ADD b text, ADD CONSTRAINT later NOT NULL b NOT VALID;
ALTER TABLE app.t VALIDATE CONSTRAINT later;
CREATE TABLE app.periods (id int4range, during daterange, PRIMARY KEY (id, during WITHOUT OVERLAPS));
CREATE TABLE app.inside (id int4range, during daterange, FOREIGN KEY (id, PERIOD during) REFERENCES app.periods (id, PERIOD during));
DROP SCHEMA app CASCADE;
