-- Tasks are found by their words (decision 0241). A table of its own: what moves a task does not index its words again.
create table task_search (
  task_id uuid primary key references tasks (id) on delete cascade,
  words tsvector not null
);
create index task_search_words on task_search using gin (words);

-- As `searchWords` of the core folds what is typed: no case, no marks, nothing but letters and digits.
create function folded(said text) returns text language sql immutable parallel safe as $$
  select regexp_replace(lower(regexp_replace(normalize(said, nfkd), '[\u0300-\u036f]', '', 'g')),
    '[!-/:-@\[-`{-~]', ' ', 'g')
$$;

-- Whole words, and the stems of the two languages that the app speaks.
create function search_words(said text) returns tsvector language sql immutable parallel safe as $$
  select strip(to_tsvector('simple', folded(said)) || to_tsvector('english', folded(said))
    || to_tsvector('spanish', folded(said)))
$$;

-- Every word has to be there: as it is, as the beginning of a longer one, or by its stem. Fillers count where there
-- is nothing else.
create function search_query(asked text[]) returns tsquery language sql immutable parallel safe as $$
  with words as (
    select to_tsquery('simple', case when length(word) > 2 then word || ':*' else word end)
        || plainto_tsquery('english', word) || plainto_tsquery('spanish', word) as form,
      numnode(plainto_tsquery('english', word)) = 0 or numnode(plainto_tsquery('spanish', word)) = 0 as is_filler
    from unnest(asked) as word
  )
  select coalesce(string_agg('(' || form::text || ')', ' & ') filter (where not is_filler),
    string_agg('(' || form::text || ')', ' & '), '')::tsquery from words
$$;

create function keep_search_words() returns trigger language plpgsql as $$
begin
  insert into task_search (task_id, words)
    values (new.id, search_words(concat_ws(' ', new.title, new.location_hint, new.instructions)))
    on conflict (task_id) do update set words = excluded.words;
  return null;
end
$$;
create trigger tasks_search after insert or update of title, location_hint, instructions on tasks
  for each row execute function keep_search_words();

-- The other two orders of the open tasks.
create index tasks_open_bounty on tasks (bounty_atomic desc, id desc) where status = 'published';
create index tasks_open_deadline on tasks (deadline, id) where status = 'published';
