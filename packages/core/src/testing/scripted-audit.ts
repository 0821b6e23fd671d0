import type { EscrowBooks } from '../audit/compare-escrow.ts'
import { MarketError } from '../errors.ts'
import { auditMoney } from '../flows/audit-money.ts'
import { linesOf, scriptedNow, type Script, keptClaims } from './scripted-deps.ts'
import { heldTask, payment, placeOn } from './scripted-money.ts'

/** One round of the comparison with the chain, by what it shows and what the store holds. */

const now = scriptedNow
export const ago = (ms: number): Date => new Date(now.getTime() - ms)
const unread = (): Promise<never> => Promise.reject(new MarketError('CHAIN_UNAVAILABLE'))

export const books = (change: Partial<EscrowBooks> = {}): EscrowBooks => ({
  taskId: 'task',
  status: 'accepted',
  escrowStatus: 'authorized',
  payment,
  held: payment.maxAmount,
  captured: 0n,
  open: null,
  since: ago(1),
  ...change,
})

export type AuditGiven = {
  /** Made anew for each case where what it answers changes on the way. */
  readonly script?: Script | (() => Script)
  readonly state?: { readonly collected: boolean; readonly capturable: bigint; readonly refundable: bigint } | null
  readonly proof?: 'proven' | 'absent' | 'otherwise' | null
  readonly found?: object | null
  readonly holdings?: object | null
  readonly channels?: object
}

export async function audited(given: AuditGiven): Promise<readonly string[]> {
  const { script = {}, state = { collected: true, capturable: payment.maxAmount, refundable: 0n } } = given
  const one = placeOn(heldTask(), {
    leaseAudit: { sums: false },
    leaseEscrowAudits: [],
    leaseProofs: [],
    heldSums: [],
    ledgerDrift: [],
    stuckSettlements: [],
    unnamedPayments: [],
    followings: [],
    escrowBooks: books(),
    ledgerBalance: payment.maxAmount,
    ...keptClaims(),
    ...(typeof script === 'function' ? script() : script),
  })
  const of =
    <T>(value: T | null | undefined, otherwise: T) =>
    () =>
      value === null ? unread() : Promise.resolve(value ?? otherwise)
  const rail = {
    ...one.chain.rail,
    escrowState: of(state, null),
    proof: of(given.proof, 'proven' as const),
    find: of(given.found, { state: 'absent' }),
    holdings: of(given.holdings, { escrow: 10n, operator: 0n }),
    send: () => Promise.resolve({ outcome: 'unknown' }),
  }
  const deps = { ...one.deps, rails: () => rail, ...(given.channels === undefined ? {} : { channels: given.channels }) }
  await auditMoney(deps as unknown as typeof one.deps)
  return linesOf(one.asked)
}

/** Without what is asked in every round. */
export const told = (lines: readonly string[]): readonly string[] =>
  lines.filter(
    (line) =>
      !/^(leaseAudit|leaseEscrowAudits|leaseProofs|ledgerDrift|stuckSettlements|unnamedPayments|followings) ?/.test(
        line,
      ),
  )
