import { openMove } from './open-move.ts'

const taskNames = [
  'id',
  'status',
  'title',
  'instructions',
  'category',
  'bounty_atomic',
  'token',
  'network',
  'decimals',
  'deadline',
  'publisher_wallet',
  'publisher_type',
  'publisher_agent_id',
  'target',
  'executor_id',
  'evidence_required',
  'evidence_optional',
  'location_hint',
  'area_lat',
  'area_lng',
  'area_radius_m',
  'min_reputation',
  'policy',
  'review_until',
  'start_by',
  'turn',
  'escrow_status',
  'escrow_tx',
  'payment_tx',
  'fee_tx',
  'refund_tx',
  'captured_atomic',
  'created_at',
  'updated_at',
]
/** The cached scores, the names and the pictures of both sides, and whether it is being paid, by their names. */
const besideTask = {
  p_avg: 'p.avg_score',
  p_count: 'p.rating_count',
  w_score: 'w.onchain_score',
  w_completed: 'w.tasks_completed',
  p_name: 'pw.display_name',
  w_name: 'w.display_name',
  p_picture: 'pw.picture',
  w_picture: 'w.picture',
  // An escrow says so itself: nobody else's settlements are looked for.
  is_paying: `(t.escrow_status = 'none' and t.status in ('verifying', 'disputed')
    and exists (select from settlements s where s.task_id = t.id and ${openMove}))`,
}
/** What the columns of a view of a task are called, in their order. */
export const taskViewNames: readonly string[] = [...taskNames, ...Object.keys(besideTask)]
/** What a view of a task selects; the joins give what is beside it. */
export const taskViewColumns = [
  ...taskNames.map((name) => `t.${name}`),
  ...Object.entries(besideTask).map(([name, column]) => `${column} as ${name}`),
].join(', ')
export const taskViewJoins = `left join publisher_scores p on p.wallet = t.publisher_wallet
  left join workers pw on pw.wallet = t.publisher_wallet left join workers w on w.id = t.executor_id`
