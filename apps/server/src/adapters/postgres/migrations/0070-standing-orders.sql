-- The standing order by which silence pays, beside the payment that it is for (decision 0158).
alter table escrows add column standing_order jsonb;
