-- What is asked in public has one answer at most (decision 0233).
alter table task_messages add column answers uuid references task_messages (id);
create unique index task_messages_answered on task_messages (answers);
