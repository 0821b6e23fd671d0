-- Browsers that show the notices of a wallet. `place` is how far each has heard, `due_at` when to look again, and
-- before `quiet_until` nothing more is sent to it. What happens while a post is under way is told after it.
create table push_subscriptions (
  id uuid primary key,
  wallet text not null,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  kinds text[] not null,
  language text not null,
  place text not null,
  attempts int not null default 0,
  due_at timestamptz not null,
  quiet_until timestamptz not null default '-infinity',
  is_leased boolean not null default false,
  was_told boolean not null default false,
  created_at timestamptz not null
);
create index push_subscriptions_due on push_subscriptions (due_at);
create index push_subscriptions_by_wallet on push_subscriptions (wallet, created_at);
