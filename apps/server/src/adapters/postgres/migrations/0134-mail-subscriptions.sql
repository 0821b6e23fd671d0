-- Addresses that wallets want their notices at, one a wallet. Until `confirmed_at` is set nothing but the confirmation
-- is sent, and a day after `asked_at` the row goes. The other columns are those of push_subscriptions.
create table mail_subscriptions (
  id uuid primary key,
  wallet text not null unique,
  address text not null,
  kinds text[] not null,
  language text not null,
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  place text not null default '0.0',
  attempts int not null default 0,
  due_at timestamptz not null,
  quiet_until timestamptz not null default '-infinity',
  is_leased boolean not null default false,
  was_told boolean not null default false
);
create index mail_subscriptions_due on mail_subscriptions (due_at);
create index mail_subscriptions_unconfirmed on mail_subscriptions (asked_at) where confirmed_at is null;
