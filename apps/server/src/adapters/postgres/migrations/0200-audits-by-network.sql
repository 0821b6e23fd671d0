-- What is looked at again comes network by network (decision 0301): what waits for a chain that is silent, or is not
-- served any more, is in nobody's way. A version before this one finds its rows without an index meanwhile.
create index settlements_to_prove_on on settlements
  ((coalesce(order_json->'payment'->>'network', order_json->'transfer'->>'network')), proof_due_at)
  where status = 'confirmed' and tx_hash is not null;
drop index settlements_to_prove;
create index escrows_to_audit_on on escrows ((payment->>'network'), audit_due_at);
drop index escrows_to_audit;
create index ratings_to_audit_on on ratings ((terms->>'network'), audit_due_at) where status = 'confirmed';
drop index ratings_to_audit;
create index identities_due_on on identities (network, check_at);
drop index identities_due;
