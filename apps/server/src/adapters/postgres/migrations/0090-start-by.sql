-- By when the worker has to have begun, and the timer that hands the task on (decision 0174).
alter table tasks add column start_by timestamptz;
alter table task_timers drop constraint task_timers_kind_check;
alter table task_timers add constraint task_timers_kind_check
  check (kind in ('review_half', 'review_late', 'review_end', 'outcome', 'offer_end', 'ruling_end', 'start_by')) not valid;
