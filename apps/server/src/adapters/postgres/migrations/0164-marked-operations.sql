-- A transaction under a key says so right before its commit, without waiting for an answer (decision 0264): where the
-- key is another's by now, it fails, and the commit behind it undoes everything.
create function mark_operation(of_identity text, named text, of_operation text, held uuid, made jsonb) returns void
language plpgsql as $$
begin
  update operations set state = 'written', created = created || made
    where identity = of_identity and key = named and operation = of_operation and token = held
      and (state = 'written' or (state = 'in_flight' and lease_until > clock_timestamp()));
  if not found then raise exception 'the key is held by another' using errcode = 'EG001'; end if;
end $$;
