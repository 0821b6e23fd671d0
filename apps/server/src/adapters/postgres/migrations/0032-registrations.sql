-- Registrations that this deployment paid for, by UTC day and by whom they are counted against (decision 0092).
create table registration_counts (
  day date not null,
  counted text not null,
  used integer not null,
  primary key (day, counted)
);
