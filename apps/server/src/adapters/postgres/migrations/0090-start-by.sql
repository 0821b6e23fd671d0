-- By when the worker has to have begun, and the timer that hands the task on (decision 0174).
alter table tasks add column start_by timestamptz;
