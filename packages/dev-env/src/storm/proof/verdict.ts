import { expectedOf, type Played } from '../jobs/job.ts'
import { balanceIn, heldIn, type ChainFacts } from './chain-facts.ts'
import { eventFindings } from './event-findings.ts'
import type { TableFacts } from './table-facts.ts'

/**
 * What is wrong, by what it means: money gone, money moved twice, money in no book, a claim without an end, a promise
 * that does not hold.
 */
export type Finding = { readonly kind: 'lost' | 'doubled' | 'unbooked' | 'in doubt' | 'events'; readonly text: string }

export type Evidence = { readonly chain: ChainFacts; readonly tables: TableFacts; readonly played: readonly Played[] }

/** Holds the chain, the tables and what clients were told against one another; nothing of the service judges itself. */
export function findingsOf(evidence: Evidence): readonly Finding[] {
  return [
    ...evidence.played.flatMap((one) => jobFindings(evidence, one)),
    ...evidence.played.flatMap((one) => promiseFindings(evidence, one)),
    ...bookFindings(evidence),
    ...logFindings(evidence),
    ...openFindings(evidence),
    ...eventFindings(evidence.tables, evidence.chain),
  ]
}

/** paid + fee + returned = locked, for each payment and for both wallets of a job. */
function jobFindings({ chain, tables }: Evidence, played: Played): readonly Finding[] {
  const { job, kind, taskId, isDone, failure } = played
  const name = `job ${String(job.number)} (${kind}, task ${taskId ?? 'none'})`
  const [payer, payee] = [job.payer.address.toLowerCase(), job.payee.address.toLowerCase()]
  const payments = chain.payments.filter((one) => one.payer === payer)
  const held = payments.filter(({ hash }) => heldIn(chain, hash) > 0n)
  const [out, paid] = [job.mintedAtomic - balanceIn(chain, payer), balanceIn(chain, payee)]
  const found: Finding[] = payments
    .filter(({ hash }) => heldIn(chain, hash) < 0n)
    .map(({ hash }) => ({ kind: 'doubled', text: `${name}: more left payment ${hash} than it held` }))
  if (payments.some((one) => one.payee !== payee))
    found.push({ kind: 'doubled', text: `${name}: a payment names another payee` })
  if (held.length > 1)
    found.push({ kind: 'doubled', text: `${name}: ${String(held.length)} payments hold money at once` })
  if (!isDone) return [...found, { kind: 'lost', text: `${name} did not end: ${failure ?? 'nothing is known'}` }]
  const expected = expectedOf(played)
  if (paid > expected.payeeIn)
    found.push({
      kind: 'doubled',
      text: `${name}: the payee has ${String(paid)} and should have ${String(expected.payeeIn)}`,
    })
  if (paid < expected.payeeIn)
    found.push({
      kind: 'lost',
      text: `${name}: the payee has ${String(paid)} and should have ${String(expected.payeeIn)}`,
    })
  if (held.length > 0)
    found.push({
      kind: payments.length > 1 ? 'doubled' : 'lost',
      text: `${name}: payment ${held[0]?.hash ?? ''} still holds money, though the job is over`,
    })
  if (out !== expected.payerOut && held.length === 0)
    found.push({
      kind: out > expected.payerOut ? 'doubled' : 'lost',
      text: `${name}: ${String(out)} left the payer and ${String(expected.payerOut)} should have`,
    })
  const endings = new Set(tables.tasks.filter((one) => one.publisher_wallet === payer).map(({ status }) => status))
  if (endings.size !== 1)
    found.push({ kind: 'lost', text: `${name}: its tasks are ${[...endings].join(', ') || 'not there'}` })
  if (tables.tasks.filter((one) => one.publisher_wallet === payer).length > 1)
    found.push({ kind: 'doubled', text: `${name} was published twice` })
  return found
}

/** What was acknowledged is true. */
function promiseFindings({ chain, tables }: Evidence, { job, told }: Played): readonly Finding[] {
  const txs = new Set([...chain.logs.map(({ txHash }) => txHash), ...chain.transfers.map(({ txHash }) => txHash)])
  return told.flatMap((one): readonly Finding[] => {
    const name = `job ${String(job.number)} was told that ${one.id} is ${one.what}`
    const lie = (text: string): readonly Finding[] => [{ kind: 'lost', text: `${name}, and ${text}` }]
    if (one.tx !== null && !txs.has(one.tx)) return lie(`${one.tx} is not on chain`)
    switch (one.what) {
      case 'published':
      case 'assigned':
        return tables.tasks.some(({ id }) => id === one.id) ? [] : lie('there is no such task')
      case 'applied':
        return tables.applications.has(one.id) ? [] : lie('there is no such application')
      case 'submitted':
        return tables.submissions.has(one.id) ? [] : lie('there is no such submission')
      case 'approved':
        return tables.submissions.get(one.id) === 'approved'
          ? []
          : lie(`it is ${tables.submissions.get(one.id) ?? 'not there'}`)
      case 'ended':
        return tables.tasks.find(({ id }) => id === one.id)?.status === 'cancelled' ? [] : lie('the task goes on')
    }
  })
}

/** Each account of the ledger is what the chain says about it. */
function bookFindings({ chain, tables, played }: Evidence): readonly Finding[] {
  const booked = (account: string): bigint => tables.ledger.get(account) ?? 0n
  const expected: readonly (readonly [account: string, atomic: bigint])[] = [
    ...chain.payments.map(({ hash }) => [`escrow:${hash}`, heldIn(chain, hash)] as const),
    ...played.map(
      ({ job }) =>
        [`wallet:${job.payer.address.toLowerCase()}`, balanceIn(chain, job.payer.address) - job.mintedAtomic] as const,
    ),
    ...played.map(
      ({ job }) => [`wallet:${job.payee.address.toLowerCase()}`, balanceIn(chain, job.payee.address)] as const,
    ),
    ['operator', balanceIn(chain, chain.operator)],
    ['treasury', balanceIn(chain, chain.treasury)],
  ]
  const known = new Set(expected.map(([account]) => account))
  return [
    ...expected
      .filter(([account, atomic]) => booked(account) !== atomic)
      .map(([account, atomic]): Finding => ({
        kind: 'unbooked',
        text: `${account} is ${String(booked(account))} in the ledger and ${String(atomic)} on chain`,
      })),
    ...[...tables.ledger]
      .filter(([account, sum]) => !known.has(account) && sum !== 0n)
      .map(([account, sum]): Finding => ({
        kind: 'unbooked',
        text: `${account} is ${String(sum)} in the ledger and unknown to the chain`,
      })),
    ...tables.unbalanced.map((journal): Finding => ({
      kind: 'unbooked',
      text: `journal ${journal} does not add up to zero`,
    })),
  ]
}

/** Each log of the escrow is in the books, once. */
function logFindings({ chain, tables }: Evidence): readonly Finding[] {
  const named = new Set(tables.settlements.map(({ tx_hash }) => tx_hash))
  const { movements } = tables
  return chain.logs.flatMap((log): readonly Finding[] => {
    const text = `${log.kind} of payment ${log.hash} in ${log.txHash}`
    if (movements === undefined)
      return named.has(log.txHash) ? [] : [{ kind: 'unbooked', text: `no settlement names ${text}` }]
    const times = movements.filter((one) => one === `${log.txHash}:${String(log.logIndex)}`).length
    return times === 1
      ? []
      : [{ kind: times === 0 ? 'unbooked' : 'doubled', text: `${text} is booked ${String(times)} times` }]
  })
}

function openFindings({ tables: { settlements, intentsOpen } }: Evidence): readonly Finding[] {
  const open = settlements
    .filter(({ status }) => status === 'claimed' || status === 'in_doubt')
    .map(({ id, purpose, status, task_id }): Finding => ({
      kind: 'in doubt',
      text: `settlement ${id} (${purpose} of task ${task_id}) is ${status}`,
    }))
  return intentsOpen === 0
    ? open
    : [...open, { kind: 'in doubt', text: `${String(intentsOpen)} transactions of the facilitator have not landed` }]
}
