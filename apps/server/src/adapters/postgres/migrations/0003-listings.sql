create table listings (
  id uuid primary key,
  seller_executor_id uuid not null references workers (id),
  title text not null,
  description text not null,
  category text not null,
  unit_price_micro_usd bigint not null check (unit_price_micro_usd >= 0),
  skills text[] not null,
  evidence text[] not null,
  network text not null,
  accepted_networks text[] not null,
  availability text not null,
  orders_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index listings_active on listings (id desc) where availability = 'active';
create index listings_by_seller on listings (seller_executor_id, id desc);
create index listings_by_skill on listings using gin (skills);
