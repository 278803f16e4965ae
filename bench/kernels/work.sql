-- What `bench engine` has sqlite do: inserts, an index, joins, grouping, sorting, text.
create table items (id integer primary key, kind integer, name text, price real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000)
insert into items select i, i * 7919 % 101, 'item ' || (i * 31 % 997), (i * 37 % 1000) / 8.0 from n;
create index by_kind on items (kind, price);
select count(*), sum(price), min(name), max(name) from items;
select kind, count(*), round(avg(price), 3) from items group by kind order by 3 desc limit 5;
select a.name, b.name from items a join items b on a.kind = b.kind and a.price < b.price
where a.id % 50 = 0 order by b.price - a.price desc, a.id, b.id limit 5;
update items set price = price * 1.25 where kind in (select kind from items where name like '%77%');
delete from items where id % 3 = 0;
select count(*), round(total(price), 3), group_concat(distinct substr(name, 6, 1)) from items;
select upper(name), length(name), printf('%08.2f', price) from items order by name desc, id limit 5;
