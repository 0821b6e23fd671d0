import { code, page, table } from './table.ts'

export type LifecycleRow = { readonly from: readonly string[]; readonly to: string }

const words: Readonly<Record<string, string>> = {
  assign: 'the publisher assigns, in a mode without escrow',
  lock: 'the publisher assigns; the escrow lock is on its way',
  undoLock: 'the lock did not happen',
  confirmLock: 'the lock is on chain',
  submit: 'the worker submits',
  verify: 'the submission is recorded',
  approve: 'the publisher approves and the payment is on chain',
  reject: 'the publisher rejects; a dispute opens',
  requestChanges: 'the publisher asks for another submission',
  cancel: 'the publisher cancels; what was held is back with the payer',
  dispute: 'either party disputes a submission in review',
  resolveRelease: 'a dispute is resolved for the worker and the payment is on chain',
  resolveRefund: 'a dispute is resolved for the payer; what was held is back',
  resolveSplit: "a dispute is resolved with a share each; the worker's is on chain and the rest goes back",
  withdraw: 'the worker steps down; what was held is back with the payer',
  expire: 'the deadline passed; what is held goes back',
}

/** Every move a task can make, as the table the domain itself asks. */
export function lifecyclePage(lifecycle: Readonly<Record<string, LifecycleRow>>): string {
  const rows = Object.entries(lifecycle).map(([move, { from, to }]) => [
    code(move),
    from.map(code).join(', '),
    code(to),
    words[move] ?? '',
  ])
  return page(
    'Lifecycle of a task',
    'packages/core/src/tasks/lifecycle.ts',
    table(['Move', 'From', 'To', 'When'], rows),
  )
}
