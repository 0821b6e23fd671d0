-- What was written with a move of a task, for those it concerns alone: the last of each kind and worker (decision 0105).
create table task_words (
  task_id uuid not null references tasks (id),
  kind text not null,
  executor_id uuid references workers (id),
  author text not null,
  words text not null,
  at timestamptz not null
);
create unique index task_words_last on task_words (task_id, kind, coalesce(executor_id, task_id));
create index task_words_by_author on task_words (author);
