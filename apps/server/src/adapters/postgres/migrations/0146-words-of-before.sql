-- The words of the tasks that were there before their trigger (0145). A step of its own: a trigger is made under a lock
-- that lets nobody write a task, and reading a year of tasks takes minutes. What was written meanwhile is newer.
insert into task_search (task_id, words)
  select id, search_words(concat_ws(' ', title, location_hint, instructions)) from tasks
  on conflict (task_id) do nothing;
