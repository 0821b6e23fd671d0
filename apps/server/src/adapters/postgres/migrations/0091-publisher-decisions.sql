-- What publishers did with what was handed in, as running totals (decision 0175): one row a publisher, never a scan.
create table publisher_decisions (
  wallet text primary key,
  decided integer not null default 0,
  rejected integer not null default 0,
  silent integer not null default 0,
  hours integer[] not null default array_fill(0, array[12])
);
