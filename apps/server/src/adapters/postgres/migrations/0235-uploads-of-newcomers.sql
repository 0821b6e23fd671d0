-- Whose share of the day an upload was taken from: what it does not need goes back there, whoever its worker is by then.
alter table uploads add column of_newcomers boolean not null default false;
