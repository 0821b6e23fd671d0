import { ProtocolError } from '@ergon/protocols'
import { computeBudgetProgram, memoProgram } from './addresses.ts'
import type { Instruction } from './instruction.ts'
import { readFields } from './little-endian.ts'
import type { Message } from './transaction.ts'

/** Why a transaction is none that an operator pays for. */
export type SponsoredFault =
  'lookup_tables' | 'instructions' | 'compute_budget' | 'memo' | 'accounts' | 'signers' | 'writable_accounts'

/** What an operator pays for: one instruction of its channel program, and what may be around it. */
export type Sponsored = {
  /** What the instruction does, for the reader of a refusal: `opens a channel`. */
  readonly does: string
  readonly channelProgram: string
  /** The instruction's number. */
  readonly number: number
  /** The most that the operator pays for priority. */
  readonly mostPriorityLamports: bigint
}

/** What the instruction asks the runtime for; more than this a wallet does not need. */
export const mostComputeUnits = 400_000
const mostMemoBytes = 256
/** Where a transaction sets no limit, the runtime grants at most this. */
const unlimitedUnits = 1_400_000n

/**
 * The one instruction a transaction is about, between the compute budget that may come before it and the memo that may
 * come after it.
 *
 * @throws ProtocolError whose code is a SponsoredFault.
 */
export function onlyInstruction({ instructions, lookupTables }: Message, sponsored: Sponsored): Instruction {
  demand(lookupTables === 0, 'lookup_tables', sponsored, 'names all its accounts itself')
  const at = instructions.findIndex(({ program }) => program !== computeBudgetProgram)
  const found = instructions[at]
  const isIt = found?.program === sponsored.channelProgram && found.data[0] === sponsored.number
  if (found === undefined || !isIt) throw fault('instructions', sponsored, `${sponsored.does} after its compute budget`)
  demandBudget(instructions.slice(0, at), sponsored)
  const [memo, ...more] = instructions.slice(at + 1)
  demand(more.length === 0, 'instructions', sponsored, 'does nothing else')
  if (memo !== undefined) {
    demand(memo.program === memoProgram, 'instructions', sponsored, 'does nothing else')
    const isShort = memo.accounts.length === 0 && memo.data.length <= mostMemoBytes
    demand(isShort, 'memo', sponsored, 'has a short memo without accounts')
  }
  return found
}

/** The fee payer pays for what these ask. */
function demandBudget(budget: readonly Instruction[], sponsored: Sponsored): void {
  const { mostPriorityLamports } = sponsored
  let units = unlimitedUnits
  let price = 0n
  const seen = new Set<number>()
  for (const { data, accounts } of budget) {
    const kind = data[0] ?? 0
    const isLimit = kind === 2 && data.length === 5
    const isPrice = kind === 3 && data.length === 9
    const isOnce = accounts.length === 0 && (isLimit || isPrice) && !seen.has(kind)
    demand(isOnce, 'compute_budget', sponsored, 'sets its budget once')
    seen.add(kind)
    const fields = readFields(data.slice(1))
    if (isLimit) units = BigInt(fields.u32())
    else price = fields.u64()
  }
  const isWithin = !seen.has(2) || units <= BigInt(mostComputeUnits)
  demand(isWithin, 'compute_budget', sponsored, `uses at most ${mostComputeUnits} units`)
  const lamports = (units * price + 999_999n) / 1_000_000n
  const isCheap = lamports <= mostPriorityLamports
  demand(isCheap, 'compute_budget', sponsored, `pays at most ${mostPriorityLamports} lamports for priority`)
}

/**
 * Nobody signs and nothing is written to beyond what the instruction, as our own builder makes it, and its fee need;
 * its accounts are the builder's, in their order.
 *
 * @throws ProtocolError whose code is a SponsoredFault.
 */
export function demandAccounts(
  message: Message,
  { found, expected }: { readonly found: Instruction; readonly expected: Instruction },
  sponsored: Sponsored,
): void {
  demand(found.accounts.length === expected.accounts.length, 'accounts', sponsored, 'names no further accounts')
  for (const [at, { address }] of expected.accounts.entries())
    demand(found.accounts[at]?.address === address, 'accounts', sponsored, `names the expected account in place ${at}`)
  const owed = new Map([[message.feePayer, { signer: true, writable: true }]])
  for (const { address, signer, writable } of expected.accounts) {
    const known = owed.get(address)
    owed.set(address, { signer: signer || known?.signer === true, writable: writable || known?.writable === true })
  }
  for (const { address, signer, writable } of message.accounts) {
    const due = owed.get(address)
    const isProgram = message.instructions.some(({ program }) => program === address)
    demand(due !== undefined || isProgram, 'accounts', sponsored, 'names no account that it does not use')
    demand(signer === (due?.signer ?? false), 'signers', sponsored, 'is signed by its payer and the operator')
    demand(writable === (due?.writable ?? false), 'writable_accounts', sponsored, 'writes to its own accounts')
  }
}

function demand(isSo: boolean, code: SponsoredFault, sponsored: Sponsored, does: string): asserts isSo {
  if (!isSo) throw fault(code, sponsored, does)
}

function fault(code: SponsoredFault, { does }: Sponsored, expected: string): ProtocolError {
  return new ProtocolError(code, `a transaction that ${does} is one that ${expected}`)
}
