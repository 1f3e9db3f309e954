-- InitialCopy, both nodes: what a table's rows are, whatever their order. The names in braces are filled in.
SELECT count(*) AS rows, coalesce(sum(hashtextextended({{image}}, 0)::numeric), 0) AS sum FROM {{table}} r
