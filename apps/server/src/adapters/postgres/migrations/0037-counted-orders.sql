-- Orders whose money never moved: a listing counts an order once its bounty was locked, or its worker paid (issue 12, point 13).
-- What was counted before stays counted: nothing tells those orders apart.
create table uncounted_orders (
  task_id uuid primary key references tasks (id),
  listing_id uuid not null references listings (id)
);
