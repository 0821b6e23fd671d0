-- A Turkish database makes another letter of I (decision 0291): words were kept as nobody asks for them.
create or replace function folded(said text) returns text language sql immutable parallel safe as $$
  select regexp_replace(lower(replace(regexp_replace(normalize(said, nfkd), '[\u0300-\u036f]', '', 'g'), 'I', 'i')),
    '[!-/:-@\[-`{-~]', ' ', 'g')
$$;

-- Everywhere else they are as before.
update task_search s set words = search_words(concat_ws(' ', t.title, t.location_hint, t.instructions))
  from tasks t where t.id = s.task_id and lower('I') <> 'i';
