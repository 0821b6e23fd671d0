/** A task in mode fase1 whose payout was paid while its fee was refused until its authorization was dead. */
export async function leaveFeeUnpaid(
  sql: (text: string, values: readonly unknown[]) => Promise<unknown>,
  taskId: string,
): Promise<void> {
  const copy = `insert into settlements (id, task_id, submission_id, executor_id, purpose, subject, order_json, status,
        tx_hash, block_number, code, must_land, due_at, created_at, updated_at)
    select ('00000000' || substr(gen_random_uuid()::text, 9))::uuid, s.task_id, s.submission_id, s.executor_id`
  const from = "from settlements s join tasks t on t.id = s.task_id where s.task_id = $1 and s.purpose = 'release'"
  await sql(
    `${copy}, 'payout', 'payout:' || s.submission_id, s.order_json, 'confirmed', s.tx_hash, s.block_number, null, false,
        s.due_at, s.created_at, s.updated_at ${from}`,
    [taskId],
  )
  await sql(
    `${copy}, 'fee', 'fee:' || s.submission_id,
      jsonb_build_object('kind', 'charge', 'key', 'charge:' || s.submission_id, 'transfer', jsonb_build_object(
      'network', t.network, 'amount', jsonb_build_object(
        'atomic', jsonb_build_object('$n', (t.bounty_atomic * 13 / 100)::text),
        'asset', s.order_json->'amount'->'asset'),
      'token', s.order_json->'payment'->>'token',
      'from', t.publisher_wallet, 'to', s.order_json->'payment'->>'operator',
      'validAfter', jsonb_build_object('$n', '0'), 'validBefore', jsonb_build_object('$n', '1000'),
      'nonce', s.order_json->'payment'->>'hash', 'signature', '0x')),
    'refused', null, null, 'AUTHORIZATION_EXPIRED', true, s.due_at, s.created_at, s.updated_at ${from}`,
    [taskId],
  )
}
