;; select 1 ; ; select ';' , ";" , $$;$$ , $x$ ; $$ ; $x$ , E'\';' , N';', B'0;', X'1;', U&'\0041;', U&"a;" ;
select 'a\'; select 2;
select 'a' --x;'
 'b;c'; select E'a'
'b\';c';
select 'a'
-- ;

'b'; select a$b$c;d$b$ from foo$$; select 1;
$é$;$é$; select $1; select $2::text, $3;
/* ; /* ; */ ; */ select /* ; */ 1 -- ;
; select 1--2;
; select 1 @-- x;
1; select a*/* ; */b; select - -1, +-1, @-1;
CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2); select 3;
CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; SELECT CASE WHEN a THEN 1 END; SELECT 2 AS end; SELECT begin FROM t; END; select 4;
create or replace procedure begin() begin atomic insert into t values (1); end; begin; select 5; end;
CREATE FUNCTION f() RETURNS int BEGIN ATOMIC CREATE FUNCTION g() RETURNS int BEGIN ATOMIC SELECT 1; END; SELECT 2; END; select 6;
CREATE FUNCTION f() RETURNS int BEGIN ATOMIC END; select begin atomic from t; select 7;
create function f() returns int as 'begin; end' language plpgsql; select 8;
CREATE SCHEMA s CREATE TABLE t (a int) CREATE VIEW v AS SELECT 1; select 9;
SET standard_conforming_strings = off; select 'a\';b'; set standard_conforming_strings to on; select 'a\'; select 10;
select ü, '€', '😀'; select  1; select 1_000.5e-3, 0x1F, 1..2;
values (1) ; execute x; select 'unfinished; select 11
